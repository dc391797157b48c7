export interface SystemPackage {
  readonly name: string
  readonly or?: string // the name of a package, and of its program, that can replace it
  readonly group: 'service' | 'test'
  readonly fonts?: boolean
  readonly reason: string
  readonly off: string
}
export function missingPackages(groups: readonly string[]): readonly SystemPackage[]
export function packageTable(): string
