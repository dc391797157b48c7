/** Points and matrices as tuples, for drawings, layout and readers of pages. */

export type Point = readonly [x: number, y: number]

/** x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]
