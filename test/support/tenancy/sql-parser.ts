// Enough of SQL's grammar to tell which tables a statement reads and writes in which of its queries, and what it
// compares. It knows the statements that Prisma and this code write, not all that Postgres would take.

/** Words in small letters, names without quotes, `alias.column` as one, and what parentheses hold as a list. */
export type Token = string | readonly Token[]

const word = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\$\d+|[A-Za-z_][\w$]*|\d+|::|<>|<=|>=|\|\||\S/g
const isName = (token: Token | undefined): token is string => typeof token === 'string' && /^[\w$]+$/.test(token)

export function tokensOf(sql: string): Token[] {
  const bare = sql.replaceAll(/--[^\n]*/g, ' ').matchAll(word)
  const plain = [...bare].map(([text]) => (text.startsWith('"') ? text.slice(1, -1) : text.toLowerCase()))
  const stack: Token[][] = [[]]
  for (let at = 0; at < plain.length; at++) {
    const text = plain[at] ?? ''
    if (text === '(') stack.push([])
    else if (text === ')') closeGroup(stack)
    else if (text === '.' && isName(plain[at + 1])) qualify(stack, plain[++at] ?? '')
    else stack.at(-1)?.push(text)
  }
  return stack[0] ?? []
}

function closeGroup(stack: Token[][]): void {
  const group = stack.pop() ?? []
  stack.at(-1)?.push(group)
}

function qualify(stack: Token[][], column: string): void {
  const into = stack.at(-1)
  const owner = String(into?.pop() ?? '')
  into?.push(owner === 'public' ? column : `${owner.replace(/^public\./, '')}.${column}`)
}

const starts = new Set(['select', 'insert', 'update', 'delete', 'with', 'values'])

/** Is it a query of its own, or only a part of what stands around it? */
export const isQuery = (group: readonly Token[]): boolean => {
  const [first] = group
  return typeof first === 'string' ? starts.has(first) : first !== undefined && group.length === 1 && isQuery(first)
}

/** The queries that stand side by side. */
export function branchesOf(tokens: readonly Token[]): Token[][] {
  const branches: Token[][] = [[]]
  for (const token of tokens) {
    if (typeof token === 'string' && ['union', 'intersect', 'except'].includes(token)) branches.push([])
    else branches.at(-1)?.push(token)
  }
  return branches
}

export type Ref = { readonly table: string; readonly alias: string; readonly insertedColumns: readonly Token[] | null }

const notNames = new Set(
  `where set on join left right inner cross full order group limit offset for returning using values select default with
    natural lateral as having window union tablesample from only and is nowait skip overriding do`.split(/\s+/),
)

/** The tables of one query, without those of the queries in it. */
export function refsOf(query: readonly Token[]): Ref[] {
  const refs: Ref[] = []
  let listing = false
  query.forEach((token, at) => {
    if (typeof token !== 'string') return
    const before = query[at - 1]
    const opens = ['from', 'join', 'into', 'using'].includes(token) && before !== 'distinct'
    const updates = token === 'update' && !['for', 'key', 'do'].includes(String(before))
    if (opens || updates) {
      listing = token === 'from' || token === 'using' || token === 'update'
      addRef(refs, query, at + 1)
    } else if (token === ',' && listing) addRef(refs, query, at + 1)
    else if (['where', 'set', 'on', 'order', 'group', 'limit', 'returning', 'for', 'select'].includes(token))
      listing = false
  })
  return refs
}

function addRef(refs: Ref[], query: readonly Token[], start: number): void {
  let at = start
  while (query[at] === 'only' || query[at] === 'lateral') at++
  const table = query[at]
  const next = query[at + 1]
  if (!isName(table) || notNames.has(table)) return
  const inserted = query[start - 1] === 'into'
  if (typeof next === 'object' && !inserted) return
  const named = next === 'as' ? query[at + 2] : next
  const alias = isName(named) && !notNames.has(named) ? named : table
  const columns = inserted ? query.slice(at, at + 5).find((each) => typeof each === 'object') : undefined
  refs.push({ table, alias, insertedColumns: typeof columns === 'object' ? columns : null })
}

/** Names that stand for a query of the statement itself, each with that query. */
export function namedQueries(tokens: readonly Token[]): Map<string, Token> {
  const named = new Map<string, Token>()
  tokens.forEach((token, at) => {
    if (typeof token === 'string') return
    const from = ['materialized', 'not'].includes(String(tokens[at - 1])) ? at - 2 : at - 1
    const isNamed = tokens[from] === 'as' && isQuery(token)
    const columns = typeof tokens[from - 1] === 'object' ? 2 : 1
    const name = tokens[from - columns]
    if (isNamed && isName(name)) named.set(name, token)
    for (const [inner, query] of namedQueries(token)) named.set(inner, query)
  })
  return named
}
