// A statement is bound to a workspace if it compares `workspace_id` of each table of tenants with a parameter.
import { branchesOf, isQuery, namedQueries, refsOf, tokensOf, type Ref, type Token } from './sql-parser.ts'

const given = 'given'
type Node = Ref | typeof given
type Scope = { readonly refs: readonly Ref[]; readonly outer: Scope | null }
type Link = readonly [Node, Node]

/** Returns the tables that the statement reads or writes in all workspaces; empty when it is bound to one. */
export function unscopedTables(sql: string, tenantTables: ReadonlySet<string>): string[] {
  const tokens = tokensOf(sql)
  const named = namedQueries(tokens)
  const [refs, links]: [Ref[], Link[]] = [[], []]

  function walk(query: readonly Token[], outer: Scope | null, shadowed: ReadonlySet<string>): void {
    for (const branch of branchesOf(query)) {
      const own = refsOf(branch).filter(({ table }) => isKept(table) && !shadowed.has(table))
      const scope = { refs: own, outer }
      refs.push(...own.filter(({ table }) => tenantTables.has(table)))
      links.push(...own.filter(isInserted).map((ref): Link => [ref, given]), ...comparisons(branch, scope))
      inner(branch).forEach((one) => walk(one, scope, within(one, shadowed)))
    }
  }
  const isKept = (table: string) => tenantTables.has(table) || table === 'workspace'
  // A name is not yet there in the query that it stands for.
  const within = (query: Token, shadowed: ReadonlySet<string>) =>
    new Set([...shadowed].filter((name) => named.get(name) !== query))
  walk(tokens, null, new Set(named.keys()))
  const bound = boundBy(links)
  return [...new Set(refs.filter((ref) => !bound.has(ref)).map(({ table }) => table))]
}

const isInserted = (ref: Ref): boolean => ref.insertedColumns?.includes(columnOf(ref)) === true

/** The subqueries of a query, at any depth. */
const inner = (tokens: readonly Token[]): (readonly Token[])[] =>
  tokens.flatMap((token) => (typeof token === 'string' ? [] : isQuery(token) ? [token] : inner(token)))

function comparisons(tokens: readonly Token[], scope: Scope): Link[] {
  return tokens.flatMap((token, at): Link[] => {
    if (typeof token !== 'string') return isQuery(token) ? [] : comparisons(token, scope)
    if (token === 'between')
      return rowOf(tokens[at - 1])
        .flatMap((side) => sidesOf(side, scope))
        .map((one): Link => [one, given])
    if (token !== '=' && token !== 'in') return []
    const [left, right] = [sidesOf(tokens[at - 1], scope), sidesOf(tokens[at + 1], scope)]
    return left.length > 0 ? left.flatMap((one) => pairs(one, right)) : right.map((one): Link => [one, given])
  })
}

/** What a range of rows is compared by first: a workspace from its first row to its last. A range of ids is none. */
const rowOf = (side: Token | undefined): readonly Token[] => (typeof side === 'object' ? side.slice(0, 1) : [])

const pairs = (one: Node, others: readonly Node[]): Link[] =>
  others.length === 0 ? [[one, given]] : others.map((other): Link => [one, other])

/** Which tables' workspaces stand on a side of a comparison, alone or in a tuple. */
function sidesOf(side: Token | undefined, scope: Scope): Node[] {
  if (typeof side === 'object') return isQuery(side) ? [] : side.flatMap((each) => sidesOf(each, scope))
  const [alias, column] = side?.includes('.') ? side.split('.') : [undefined, side]
  const owner = alias === undefined ? unnamedIn(scope) : find(alias, scope)
  if (owner === undefined) return []
  return column === columnOf(owner) ? [owner] : []
}

/** A grant belongs to the workspace of its key, and names another. */
const columnOf = ({ table }: Ref): string =>
  table === 'workspace' ? 'id' : table === 'api_key_workspace' ? 'home_workspace_id' : 'workspace_id'

const unnamedIn = ({ refs }: Scope): Ref | undefined => refs.find(({ table }) => table !== 'workspace') ?? refs[0]

const find = (alias: string, scope: Scope | null): Ref | undefined =>
  scope === null ? undefined : (scope.refs.find((ref) => ref.alias === alias) ?? find(alias, scope.outer))

function boundBy(links: readonly Link[]): Set<Node> {
  const bound = new Set<Node>([given])
  for (let size = 0; size < bound.size;) {
    size = bound.size
    for (const [one, other] of links) {
      if (bound.has(one)) bound.add(other)
      if (bound.has(other)) bound.add(one)
    }
  }
  return bound
}
