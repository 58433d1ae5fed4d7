import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { tellMcpStory } from '../mcp-story.ts'

/** It exits with another code than 0 where the tool refuses, and prints what was said nevertheless. */
async function inspect(...method) {
  const server = [
    `${process.env.BASE_URL}/api/mcp`,
    '--transport',
    'http',
    '--header',
    `Authorization: Bearer ${process.env.API_KEY}`,
  ]
  const args = ['--cli', ...server, '--format', 'json', '--method', ...method]
  const env = { ...process.env, HOME: import.meta.dirname }
  return promisify(execFile)('node_modules/.bin/mcp-inspector', args, { env, maxBuffer: 1e8 }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => stdout + stderr,
  )
}

await tellMcpStory({
  names: async () => JSON.parse(await inspect('tools/list')).result.tools.map(({ name }) => name),
  call: (name, input) =>
    inspect(
      'tools/call',
      '--tool-name',
      name,
      ...Object.entries(input).flatMap(([key, value]) => [
        '--tool-arg',
        `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]),
    ),
})
