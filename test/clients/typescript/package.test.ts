// The package of the TypeScript client as it would be published: packed, linted, and used on each runtime that is here.
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generatedFiles } from '../../../clients/generate/files.ts'
import { lacksForeign } from '../../support/foreign.ts'
import { listening } from '../../support/listening.ts'
import { run } from '../../support/run-program.ts'
import { buildPackage, pack, shell, source } from './built-package.ts'

const root = join(import.meta.dirname, '../../..')
const gzipBytesMax = 30_000
const scratch = mkdtempSync(join(tmpdir(), 'wia-client-'))
const folder = join(scratch, 'package')
const user = join(scratch, 'user')

beforeAll(() => {
  buildPackage(folder)
  mkdirSync(join(user, 'node_modules'), { recursive: true })
  // Deno asks for the manifest.
  const manifest = { type: 'module', dependencies: { 'workspace-integration-client': '*' } }
  writeFileSync(join(user, 'package.json'), JSON.stringify(manifest))
  symlinkSync(folder, join(user, 'node_modules/workspace-integration-client'))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test('what is generated of the clients is current: `npm run clients` writes it', () => {
  for (const [path, text] of Object.entries(generatedFiles()))
    expect([path, readFileSync(join(root, 'clients', path), 'utf8') === text]).toEqual([path, true])
})

test('it has no dependency, and its version is the one that it says of itself', () => {
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([])
  expect(manifest.version).toBe(version)
  expect(readFileSync(join(source, 'src/send.ts'), 'utf8')).toContain(`version = '${version}'`)
})

test('all of its JavaScript is smaller than 30 kB with gzip', () => {
  const files = globSync('dist/*.js', { cwd: folder }).map((path) => readFileSync(join(folder, path), 'utf8'))
  const bytes = gzipSync(files.join('')).length

  console.log(`TypeScript client: ${bytes} bytes with gzip`)
  expect(bytes).toBeLessThan(gzipBytesMax)
})

describe.skipIf(lacksForeign)('linters of packages', () => {
  const bin = (path: string) => join(root, 'test/node_modules', path)

  test('publint finds nothing to say', () => {
    expect(shell(process.execPath, [bin('publint/src/cli.js'), 'run', folder, '--strict'], folder)).toMatchObject({
      code: 0,
      output: expect.stringContaining('All good!'),
    })
  })

  test('arethetypeswrong finds its types right, for ES modules', () => {
    const archive = pack(folder)
    const attw = bin('@arethetypeswrong/cli/dist/index.js')

    expect(shell(process.execPath, [attw, archive, '--profile', 'esm-only'], folder)).toMatchObject({ code: 0 })
  })
})

/** Programs of the path, but for those of this project. */
function found(name: string, ...args: readonly string[]): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((each) => !each.includes('node_modules'))
  const paths = folders.map((each) => join(each, name))
  return paths.find((path) => shell(path, [...args, '--version'], scratch).code === 0) ?? null
}

const oldNode = found('node')
const deno = found('deno')
const bun = found('bun')

const program = `
import { createClient, isApiError, verifyWebhook } from 'workspace-integration-client'
import { createFakeServer } from 'workspace-integration-client/testing'
const api = createClient({ baseUrl: process.env.URL, apiKey: 'wsk_x' })
const names = []
for await (const { name } of api.projects.list({ limit: 1 })) names.push(name)
const error = await api.tasks.get({ id: 'T-1' }).catch((thrown) => thrown)
const fake = createFakeServer()
const faked = await createClient({ baseUrl: fake.url, apiKey: 'wsk_x', fetch: fake.fetch }).projects.create({ name: 'Faked' })
const refused = await verifyWebhook('{}', {}, { secret: 'whsec_' + btoa('x'.repeat(32)) }).catch(({ name }) => name)
console.log(JSON.stringify([names, isApiError(error, 'not_found'), faked.name, refused]))
`

/** Those that are on this machine. */
const runtimes = [
  { name: 'Node of this project', binary: process.execPath, args: [] },
  { name: 'Node of the system', binary: oldNode, args: [] },
  { name: 'Deno', binary: deno, args: ['run', '--allow-net', '--allow-env', '--allow-read'] },
  { name: 'Bun', binary: bun, args: [] },
].flatMap(({ binary, ...runtime }) => (binary === null ? [] : [{ ...runtime, binary }]))

test.each(runtimes)('it runs on $name', async ({ binary, args }) => {
  await using server = await listening(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://api')
    const isFirst = searchParams.get('cursor') === null
    const page = { data: [{ name: isFirst ? 'A' : 'B' }], page: { nextCursor: isFirst ? 'next' : null } }
    const problem = { code: 'not_found', status: 404, detail: 'No.', requestId: 'r' }
    const isList = pathname.endsWith('/projects')
    response.writeHead(isList ? 200 : 404).end(JSON.stringify(isList ? page : problem))
  })
  writeFileSync(join(user, 'main.mjs'), program)

  const { code, output } = await run(user, binary, [...args, 'main.mjs'], { URL: server.url })

  expect([code, output]).toEqual([0, '[["A","B"],true,"Faked","WebhookError"]\n'])
})
