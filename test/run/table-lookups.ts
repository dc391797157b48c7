/**
 * `npm run check`: finds the look-ups that a word of a document could answer from a prototype. `table[name]` on a
 * `Record<string, …>` returns a function for the name `constructor` and an object for `__proto__`. Such tables are read with
 * `entryOf` and written with `setEntry` (shared/entry-of.ts), or are a `Map`.
 *
 * Types are not computed, because that would take longer than all other checks together. An expression counts as a
 * `Record<string, …>` where a declaration in its file, of an import, or of a property says so.
 *
 *   table-lookups.ts [path ...]     checks these files instead of all
 */
import { readdirSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The studio runs in a browser on the data of its user. */
const exempt = /^shared\/studio\/|^shared\/entry-of\.ts$|\.d\.ts$/

export interface Lookup {
  readonly line: number
  readonly text: string
}

/** What the declarations of all files say about names. */
export interface Declarations {
  /** Aliases of `string`, such as `FormatId`. */
  readonly strings: Set<string>
  /** Names of types that are a `Record<string, …>`. */
  readonly records: Set<string>
  /** Names of properties: true where all declarations of the name are a `Record<string, …>`. */
  readonly properties: Map<string, boolean>
  /** Names of exported constants: true where all are a `Record<string, …>`. */
  readonly constants: Map<string, boolean>
}

export function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
}

export function declarationsOf(sources: readonly ts.SourceFile[]): Declarations {
  const declarations: Declarations = {
    strings: new Set(),
    records: new Set(),
    properties: new Map(),
    constants: new Map(),
  }
  // An alias may refer to one that a later file declares.
  for (let round = 0; round < 2; round += 1) for (const source of sources) visit(source, readType)
  for (const source of sources) visit(source, readNames)
  return declarations

  function readType(node: ts.Node): void {
    if (ts.isTypeAliasDeclaration(node)) {
      if (isString(node.type, declarations)) declarations.strings.add(node.name.text)
      if (isRecord(node.type, declarations)) declarations.records.add(node.name.text)
    }
    if (ts.isInterfaceDeclaration(node) && node.members.some((member) => isStringIndex(member, declarations)))
      declarations.records.add(node.name.text)
  }

  function readNames(node: ts.Node): void {
    if (ts.isPropertySignature(node) || ts.isPropertyDeclaration(node))
      note(declarations.properties, node.name.getText(), isRecord(node.type, declarations))
    if (
      ts.isVariableStatement(node) &&
      node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    )
      for (const { name, type } of node.declarationList.declarations)
        note(declarations.constants, name.getText(), isRecord(type, declarations))
  }
}

function note(names: Map<string, boolean>, name: string, record: boolean): void {
  names.set(name, record && names.get(name) !== false)
}

function visit(node: ts.Node, read: (node: ts.Node) => void): void {
  read(node)
  ts.forEachChild(node, (child) => visit(child, read))
}

function isString(type: ts.TypeNode | undefined, { strings }: Declarations): boolean {
  if (type === undefined) return false
  if (type.kind === ts.SyntaxKind.StringKeyword) return true
  return ts.isTypeReferenceNode(type) && strings.has(type.typeName.getText())
}

const isStringIndex = (member: ts.TypeElement, declarations: Declarations): boolean =>
  ts.isIndexSignatureDeclaration(member) && isString(member.parameters[0]?.type, declarations)

/** Types around a type that leave its keys as they are. */
const transparent = new Set(['Readonly', 'Partial', 'NonNullable', 'Required'])

function isRecord(type: ts.TypeNode | undefined, declarations: Declarations): boolean {
  if (type === undefined) return false
  if (ts.isParenthesizedTypeNode(type)) return isRecord(type.type, declarations)
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type))
    return type.types.some((member) => isRecord(member, declarations))
  if (ts.isTypeLiteralNode(type)) return type.members.some((member) => isStringIndex(member, declarations))
  if (!ts.isTypeReferenceNode(type)) return false
  const name = type.typeName.getText()
  const [first] = type.typeArguments ?? []
  if (name === 'Record') return isString(first, declarations)
  return transparent.has(name) ? isRecord(first, declarations) : declarations.records.has(name)
}

/** The look-ups of a file, in order. */
export function lookupsIn(source: ts.SourceFile, declarations: Declarations): Lookup[] {
  const imported = new Set<string>()
  const lookups: Lookup[] = []
  visit(source, (node) => {
    if (
      ts.isImportSpecifier(node) &&
      declarations.constants.get((node.propertyName ?? node.name).getText()) === true
    )
      imported.add(node.name.text)
    if (!ts.isElementAccessExpression(node) || ts.isLiteralExpression(node.argumentExpression)) return
    if (ts.isDeleteExpression(node.parent)) return // removes nothing but a key of the object itself
    if (!holdsRecord(node.expression)) return
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    lookups.push({ line: line + 1, text: node.getText() })
  })
  return lookups

  function holdsRecord(expression: ts.Expression): boolean {
    if (ts.isParenthesizedExpression(expression) || ts.isNonNullExpression(expression))
      return holdsRecord(expression.expression)
    if (ts.isAsExpression(expression)) return isRecord(expression.type, declarations)
    // It keeps the type of its object, in which TypeScript refuses to look up any other word.
    if (ts.isSatisfiesExpression(expression)) return holdsRecord(expression.expression)
    if (ts.isPropertyAccessExpression(expression))
      return declarations.properties.get(expression.name.getText()) === true
    return ts.isIdentifier(expression) && names(expression)
  }

  function names(identifier: ts.Identifier): boolean {
    for (let scope: ts.Node = identifier.parent; scope !== undefined; scope = scope.parent) {
      const declaration = declaredIn(scope, identifier.text)
      if (declaration !== undefined) return declaresRecord(declaration)
    }
    return imported.has(identifier.text)
  }

  function declaresRecord(
    declaration: ts.VariableDeclaration | ts.ParameterDeclaration | ts.BindingElement,
  ): boolean {
    if (ts.isBindingElement(declaration)) {
      if (!ts.isObjectBindingPattern(declaration.parent)) return false
      const name = (declaration.propertyName ?? declaration.name).getText()
      return declarations.properties.get(name) === true
    }
    if (declaration.type !== undefined) return isRecord(declaration.type, declarations)
    return declaration.initializer !== undefined && holdsRecord(declaration.initializer)
  }
}

type Declaration = ts.VariableDeclaration | ts.ParameterDeclaration | ts.BindingElement

/** The declaration of a name by a function's parameters or by the statements of a block; the name itself is not searched for deeper. */
function declaredIn(scope: ts.Node, name: string): Declaration | undefined {
  if (ts.isFunctionLike(scope)) return inBindings(scope.parameters, name)
  if (ts.isForOfStatement(scope) || ts.isForStatement(scope) || ts.isForInStatement(scope)) {
    const { initializer } = scope
    if (initializer === undefined || !ts.isVariableDeclarationList(initializer)) return undefined
    return inBindings(initializer.declarations, name)
  }
  if (!ts.isBlock(scope) && !ts.isSourceFile(scope) && !ts.isCaseOrDefaultClause(scope)) return undefined
  for (const statement of scope.statements) {
    if (!ts.isVariableStatement(statement)) continue
    const declaration = inBindings(statement.declarationList.declarations, name)
    if (declaration !== undefined) return declaration
  }
  return undefined
}

function inBindings(bindings: Iterable<Declaration>, name: string): Declaration | undefined {
  for (const binding of bindings) {
    if (ts.isIdentifier(binding.name)) {
      if (binding.name.text === name) return binding
      continue
    }
    const elements: readonly ts.ArrayBindingElement[] = binding.name.elements
    const declaration = inBindings(elements.filter(ts.isBindingElement), name)
    if (declaration !== undefined) return declaration
  }
  return undefined
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, resolve(entry.parentPath, entry.name)))
}

function main(paths: readonly string[]): void {
  const files = ['shared', 'plugins', 'edge', 'origin'].flatMap((folder) => filesBelow(resolve(root, folder)))
  const sources = files
    .filter((file) => !exempt.test(file))
    .map((file) => parse(file, readFileSync(resolve(root, file), 'utf8')))
  const declarations = declarationsOf(sources)
  const selected = new Set(paths.map((path) => relative(root, resolve(path))))
  let count = 0
  for (const source of sources) {
    if (selected.size > 0 && !selected.has(source.fileName)) continue
    for (const { line, text } of lookupsIn(source, declarations)) {
      count += 1
      console.error(`${source.fileName}:${line}: ${text}`)
    }
  }
  if (count === 0) return
  console.error(
    `${count} look-ups by key in a Record<string, …>: a document may contain the word "constructor" or "__proto__". Read with entryOf, write with setEntry (shared/entry-of.ts), or use a Map.`,
  )
  process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
