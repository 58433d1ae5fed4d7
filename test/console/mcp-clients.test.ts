// What people paste into their MCP clients: the files can be read as what they are, and name this installation.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callSamples } from '../../console/app/call-samples.ts'
import { claudeCodeCommand, mcpClients } from '../../console/app/mcp-clients.ts'

const starter = join(import.meta.dirname, '../../clients/starter/mcp')
const origin = 'https://workspace.example'
const textsOf = (id: string): string[] =>
  mcpClients(origin)
    .find((client) => client.id === id)
    ?.steps.map(({ text }) => text) ?? []

test.each([
  ['claude-code', 'claude-code/.mcp.json'],
  ['cursor', 'cursor/mcp.json'],
  ['vscode', 'vscode/mcp.json'],
])('%s is told the same by the page and by the starter files', (id, file) => {
  const inStarter = JSON.parse(readFileSync(join(starter, file), 'utf8'))

  const files = textsOf(id).filter((text) => text.startsWith('{'))

  expect(files.map((text) => JSON.parse(text))).toEqual([inStarter])
})

test('each client of the starter files is on the page', () => {
  const folders = globSync('*/', { cwd: starter }).map((path) => path.replace(/\/$/, ''))
  const ids = mcpClients(origin).map(({ id }) => id)

  expect(ids).toEqual(expect.arrayContaining(folders.filter((name) => name !== 'README.md')))
})

test('each names the address of this installation, none has a secret, and none the name that Claude Code keeps for itself', () => {
  for (const text of mcpClients(origin).flatMap(({ steps }) => steps.map((step) => step.text))) {
    expect(text).toContain(`${origin}/api/mcp`)
    expect(text).not.toMatch(/wsk_[0-9A-Za-z]/)
    // Of 2.1.332: `claude mcp add` refuses the name `workspace`, and a file that has it is passed over.
    expect(text).not.toMatch(/transport http workspace |"workspace": \{|servers\.workspace\]/)
  }
})

test('what stands between Claude Desktop and an address without TLS is told to take it', () => {
  const args = (at: string): string[] =>
    JSON.parse(mcpClients(at).find(({ id }) => id === 'claude-desktop')?.steps[0]?.text ?? '').mcpServers[
      'workspace-api'
    ].args

  expect(args('http://127.0.0.1:8080')).toContain('--allow-http')
  expect(args(origin)).not.toContain('--allow-http')
})

test('samples hold the secret where there is one, and else take it from the environment', () => {
  for (const { text } of callSamples(origin, 'wsk_secret')) expect(text).toContain('wsk_secret')
  expect(claudeCodeCommand(origin, 'wsk_secret')).toContain('Bearer wsk_secret"')
  for (const { text } of callSamples(origin, null)) {
    expect(text).toContain('WORKSPACE_API_KEY')
    expect(text).not.toContain('.env:')
  }
})
