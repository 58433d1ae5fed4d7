// The story that every client of MCP plays, in its own way of calling: it finds the tools, makes a project, finds it,
// and is told what was wrong with a call.
import assert from 'node:assert/strict'

export type McpStoryClient = {
  /** The names of the tools, as the client shows them to a model. */
  names(): Promise<readonly string[]>
  /** Returns what the client gives to a model, whole or in part: text is looked for in it. */
  call(name: string, input: object): Promise<unknown>
  close?(): Promise<unknown>
}

export async function tellMcpStory(client: McpStoryClient): Promise<void> {
  const names = await client.names()
  // Clients put the server's name before it, and a dot is not for every model.
  const tool = (operation: string) =>
    names.find((name) => name.replaceAll('.', '_').endsWith(operation)) ?? assert.fail(`No tool ${operation}`)
  assert.ok(names.length >= 20, `${names.length} tools`)
  console.log('done: list tools')

  const name = `Größe ${Date.now()}`
  const made = textOf(await client.call(tool('projects_create'), { name, status: 'active' }))
  const [id] = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(made) ?? assert.fail(made)
  console.log('done: create')

  const found = textOf(await client.call(tool('projects_list'), { status: ['active'], limit: 200, fields: ['name'] }))
  assert.ok(found.includes(id) && found.includes(name), found)
  console.log('done: list with a filter')

  const refused = await client
    .call(tool('projects_get'), { id: '01890000-0000-7000-8000-000000000000' })
    .then(textOf, (error: unknown) => `${String(error)} ${textOf(error)}`)
  assert.match(refused, /No project has this ID/)
  console.log('done: a problem')
  await client.close?.()
}

/** Escaped text in text counts as what it stands for. */
const textOf = (answer: unknown): string =>
  (typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '')).replaceAll('\\"', '"')
