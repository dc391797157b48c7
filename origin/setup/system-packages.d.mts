export interface SystemPackage {
  readonly name: string
  readonly or?: string // a package and program of this name stands in for it
  readonly group: 'service' | 'test'
  readonly reason: string
  readonly off: string
}
export function missingPackages(groups: readonly string[]): readonly SystemPackage[]
export function packageTable(): string
