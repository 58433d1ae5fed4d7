// The samples of the guides, run as they are shown: as curl commands, and in each language that is installed, each in a
// workspace of its own that has what the guides speak of. A sample that is shown with an error must get that error.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format } from '@wasm-fmt/gofmt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiPrefix } from '#contract/route-paths.ts'
import { scopes } from '#contract/scopes.ts'
import { readGuides } from '../../gateway/downloads/guides.ts'
import { samplesOf } from '../../gateway/downloads/curl-command.ts'
import { run, type Env } from '../support/run-program.ts'
import { describeOnce, must, sharedSystem, type System } from '../support/system.ts'

type Documented = { readonly name: string; readonly command: string; readonly status: number | null }

/** Commands of shells that do more than one call, by their first words, with what runs them. */
const notOneCall: Readonly<Record<string, string>> = {
  'export API=': 'test/system/documented-samples.test.ts sets both',
  'curl -sO https://workspace.example/api/v1/starter.zip': 'test/system/starter-files.test.ts',
  'FILE=$(curl': 'test/system/files.test.ts uploads and names files',
  'export SETTINGS=': 'calls of the operator: test/system/sandbox.test.ts',
  'curl -s "$API/jobs/$JOB_ID/result"': 'test/system/jobs.test.ts downloads results',
  'cd starter; set -a': 'test/system/starter-files.test.ts',
  'curl -s "$API/files/$ID/content"': 'test/system/files.test.ts scans files',
  'workspace ': 'test/cli/guide.test.ts',
  'npm install -g https://workspace.example/': 'test/cli/guide.test.ts',
  'claude mcp add': 'it needs that program; test/mcp/clients tries configurations',
  'npx @modelcontextprotocol/inspector': 'test/mcp/clients runs the Inspector',
}

const address = 'https://workspace.example/api/v1'
const { pages } = readGuides()
const blocks = pages.flatMap(({ path, markdown }) =>
  Array.from(markdown.matchAll(/^```sh\n([^]*?)\n```$(?:\n\n```json\n([^]*?)\n```)?/gm), ([, command = '', shown]) => ({
    name: `${path.slice(6)}: ${command.split('\n')[0]?.slice(0, 90)}`,
    command,
    status: Number(/^ {2}"status": ([45]\d\d),$/m.exec(shown ?? '')?.[1] ?? 0) || null,
  })),
)
const documented: Documented[] = blocks.filter(({ command }) => samplesOf(command, address) !== null)

/** What is run with `WORKSPACE_API_KEY` and `API`, and prints the body, and the status before it. */
type Runner = {
  readonly name: string
  readonly language: string
  readonly file: string
  readonly args: readonly string[]
}
const runners: readonly Runner[] = [
  { name: 'bash', language: 'sh', file: 'sample.sh', args: ['sample.sh'] },
  { name: process.execPath, language: 'ts', file: 'sample.ts', args: ['sample.ts'] },
  { name: 'python3', language: 'python', file: 'sample.py', args: ['sample.py'] },
  { name: 'go', language: 'go', file: 'sample.go', args: ['run', 'sample.go'] },
]
const isInstalled = ({ name, language }: Runner): boolean =>
  spawnSync(name, [language === 'go' ? 'version' : '--version']).status === 0

test('each block of a shell in the guides is one call in four languages, or named with what runs it', () => {
  const others = blocks.filter(({ command }) => samplesOf(command, address) === null).map(({ command }) => command)

  expect(documented.length).toBeGreaterThan(30)
  expect(others.filter((command) => !Object.keys(notOneCall).some((start) => command.startsWith(start)))).toEqual([])
  expect(Object.keys(notOneCall).filter((start) => !others.some((command) => command.startsWith(start)))).toEqual([])
})

test.each(documented)('in Go, $name is formatted as gofmt does', ({ command }) => {
  const go = samplesOf(command, address)?.find(({ language }) => language === 'go')?.code ?? ''

  expect(format(`${go}\n`)).toBe(`${go}\n`)
})

describeOnce('the samples of the guides', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  test('the first call is made with what the quick start of the installation says, and the key, alone', async () => {
    const page = await (await fetch(`${system.url}/docs/quick-start.md`)).text()
    const [setUp = '', firstCall = ''] = Array.from(page.matchAll(/^```sh\n([^]*?)^```$/gm), ([, block = '']) => block)

    const commands = setUp.replace('wsk_…', tenant.secret) + firstCall
    const { code, output } = await run(tmpdir(), 'bash', ['-c', commands], {})

    expect(code).toBe(0)
    expect(JSON.parse(output)).toMatchObject({ apiKey: { id: tenant.keyId } })
  })

  describe.each(runners)('in $language', (runner) => {
    const folder = mkdtempSync(join(tmpdir(), 'samples-'))
    let env: Env
    beforeAll(async () => {
      env = await documentedWorkspace(system)
    })
    afterAll(() => rmSync(folder, { recursive: true }))

    // In the order of the guides, in one workspace.
    test.skipIf(!isInstalled(runner)).each(documented)(
      '$name gets what the guide says',
      async ({ command, status }) => {
        const samples = samplesOf(command, system.url + apiPrefix)
        const sample = samples?.find(({ language }) => language === runner.language)?.code ?? ''
        writeFileSync(join(folder, runner.file), sample)
        const { code, output } = await run(folder, runner.name, runner.args, env)

        if (status === null) {
          expect({ code, output }).toEqual({
            code: 0,
            output: expect.not.stringMatching(/"type":"[^"]*\/docs\/errors\//),
          })
          expect(output).toMatch(/"(?:id|data|object|total|eventId)":/)
        } else expect(output).toMatch(new RegExp(`"status":${status},|HTTP Error ${status}:`))
      },
    )
  })
})

/** What the guides speak of, and the variables that their samples name. */
async function documentedWorkspace(system: System): Promise<Env> {
  const operator = await system.tenant()
  const [owner] = must(await operator.settings('GET', '/members')).data
  const { api, secret, keyId, settings } = await operator.key(scopes, { ownerId: owner.id })
  const make = async (path: string, body: object) => must(await api('POST', `${apiPrefix}${path}`, body))
  must(await api('PATCH', `${apiPrefix}/workspaces/current`, { defaultCountry: 'DE' }))
  const web = await make('/projects', { name: 'Website relaunch', key: 'WEB' })
  must(await api('PATCH', `${apiPrefix}/projects/WEB`, { status: 'active' }))
  await make('/projects', { name: 'From the old tracker', key: 'OLD' })
  await make('/tasks', { projectId: web.id, title: 'Draft the start page', labels: ['web'] })
  await make('/crm-entities', { kind: 'company', name: 'ACME', domains: ['acme.example'] })
  await make('/crm-entities', { kind: 'contact', firstName: 'Ada', phones: ['+49 30 1234'] })
  await make('/crm-entities', { kind: 'deal', name: 'Shop', amount: { amount: '7000.00', currency: 'EUR' } })
  const document = await make('/documents', { title: 'Guide', content: '# Guide\n\n## Opening hours\n\n9 to 17.\n' })
  const webhook = await make('/webhooks', {
    name: 'Receiver',
    url: 'https://hooks.example.com/wia',
    eventTypes: ['projects.*', 'tasks.*'],
  })
  must(await settings('GET', '/api-keys'))
  // Some samples are of sandboxes alone.
  await system.db.workspace.update({ where: { id: operator.workspaceId }, data: { sandbox: true } })
  return { WORKSPACE_API_KEY: secret, KEY_ID: keyId, DOCUMENT_ID: document.id, WEBHOOK_ID: webhook.id }
}
