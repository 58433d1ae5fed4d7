// `login`, `whoami`, `profiles` and `logout` of the package, against the product.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { profilesPath, readProfiles, writeProfiles, type Profile } from '../../cli/profiles.ts'
import { choiceNote, findAccess } from '../../cli/access.ts'
import { eventually } from '../support/eventually.ts'
import { describeOnce, sharedSystem } from '../support/system.ts'
import { packaged, workspace } from './packaged.ts'

const scratch = mkdtempSync(join(tmpdir(), 'wia-profiles-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let env: Record<string, string> = {}
beforeEach(() => {
  env = { XDG_CONFIG_HOME: mkdtempSync(join(scratch, 'config-')) }
})
const path = () => profilesPath(env)
const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8)

describeOnce('logging in', (systemMode) => {
  const { system, tenant } = sharedSystem(systemMode)
  const logIn = (secret: string, ...words: string[]) =>
    workspace(['login', '--url', system.url, ...words], { env, input: `${secret}\n` })

  test('a key that the installation takes is kept for its owner alone, and the next commands use it', async () => {
    const made = await logIn(tenant.secret)
    const who = await workspace(['whoami', '--json'], { env })
    const created = await workspace(['projects.create', '--name', 'By command', '--json'], { env })
    const listed = await workspace(['profiles', 'list'], { env })

    expect(made).toEqual({ code: 0, stdout: `Logged in to ${system.url} as Test, profile default.\n`, stderr: '' })
    expect([mode(path()), mode(dirname(path()))]).toEqual(['600', '700'])
    expect(JSON.parse(who.stdout)).toMatchObject({ profile: 'default', name: 'Test', baseUrl: system.url })
    expect(JSON.parse(created.stdout)).toMatchObject({ object: 'project', name: 'By command' })
    expect(listed.stdout).toBe(`* default  ${system.url}  key  Test\n`)
    expect([who.stdout, listed.stdout].join()).not.toContain(tenant.secret)
  })

  test('the operator token is kept likewise, with the workspace that later commands mean', async () => {
    const made = await logIn(system.operatorToken, '--profile', 'ops', '--workspace', tenant.workspaceId)
    const keys = await workspace(['api-keys.list', '--json'], { env })

    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('as the operator, profile ops.') })
    expect(JSON.parse(keys.stdout).data.map(({ name }: { name: string }) => name)).toContain('Test')
  })

  test('a secret that is refused is not kept, nor one for a workspace that it does not have', async () => {
    const unknown = await logIn(`wsk_${'x'.repeat(40)}`)
    const elsewhere = await logIn(tenant.secret, '--workspace', 'nowhere')

    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringMatching(/^invalid_api_key: [^]*Nothing is kept\./) })
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('The key has no workspace nowhere.') })
    expect(readProfiles(env).profiles).toEqual([])
  })

  test('of several profiles one is current; `use`, `remove` and `logout` change that', async () => {
    await logIn(tenant.secret)
    const { secret } = await tenant.key(['projects:read'], { name: 'Reader' })
    const second = await logIn(secret, '--profile', 'reader')
    const used = await workspace(['profiles', 'use', 'reader'], { env })
    const refused = await workspace(['projects.create', '--name', 'No'], { env })
    const named = await workspace(['projects.create', '--name', 'Yes', '--profile=default'], { env })
    const removed = await workspace(['profiles', 'remove', 'default'], { env })
    const out = await workspace(['logout'], { env })
    const after = await workspace(['whoami'], { env })

    expect(second.stdout).toContain('`workspace profiles use reader` makes it current.')
    expect(used).toMatchObject({ code: 0, stdout: `reader is current: ${system.url}\n` })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('insufficient_scope') })
    expect([named.code, removed.code, out.code]).toEqual([0, 0, 0])
    expect(readProfiles(env)).toEqual({ current: null, profiles: [] })
    expect(after).toMatchObject({ code: 2, stderr: expect.stringMatching(/WORKSPACE_API_KEY.*`workspace login`/) })
  })

  test('the environment comes before the current profile, and `--profile` before both', async () => {
    await logIn(tenant.secret)
    const { secret } = await tenant.key(scopes)
    const given = { ...env, WORKSPACE_API_URL: system.url, WORKSPACE_API_KEY: secret }
    const [fromEnvironment, named] = await Promise.all([
      workspace(['whoami', '--json'], { env: given }),
      workspace(['whoami', '--json', '--profile', 'default'], { env: given }),
    ])

    const [ofEnvironment, ofProfile] = [JSON.parse(fromEnvironment.stdout), JSON.parse(named.stdout)]
    expect([ofEnvironment.profile, ofProfile.profile]).toEqual(['the environment', 'default'])
    expect(secret.startsWith(ofEnvironment.apiKey.prefix)).toBe(true)
    expect(tenant.secret.startsWith(ofProfile.apiKey.prefix)).toBe(true)
  })

  test('of two secrets that an operation takes, it says which one is used; one that it does not take is passed over', async () => {
    await logIn(tenant.secret)
    const operator = { ...env, WORKSPACE_API_URL: system.url, OPERATOR_TOKEN: system.operatorToken }
    const inWorkspace = ['--workspace', tenant.workspaceId]
    const both = await workspace(['webhooks.list', ...inWorkspace], { env: operator })
    const named = await workspace(['webhooks.list', '--profile', 'default'], { env: operator })
    const ofKey = await workspace(['projects.list', '--json'], { env: operator })
    const ofOperator = await workspace(['workspaces.list', '--json'], { env: operator })
    const keys = { ...env, WORKSPACE_API_URL: system.url, WORKSPACE_API_KEY: tenant.secret }
    const same = await workspace(['webhooks.list'], { env: keys })
    const two = await workspace(['webhooks.list'], { env: { ...keys, OPERATOR_TOKEN: system.operatorToken } })
    const { stdout: offered } = await workspace(['--help'], { env: operator })

    const used =
      'Using OPERATOR_TOKEN from the environment, not the profile default: --profile default uses that one.\n'
    expect(both).toMatchObject({ code: 0, stderr: used })
    expect([named, ofKey, ofOperator, same].map(({ code, stderr }) => [code, stderr])).toEqual(
      Array.from({ length: 4 }, () => [0, '']),
    )
    const other = 'Using WORKSPACE_API_KEY from the environment, not OPERATOR_TOKEN: unset the one that is not meant.\n'
    expect(two).toMatchObject({ code: 0, stderr: other })
    expect(offered).toMatch(/^ {2}projects\.list /m)
    expect(offered).toMatch(/^ {2}workspaces\.list /m)
  })

  const hasTerminal = spawnSync('script', ['--version']).status === 0
  test.skipIf(!hasTerminal)('in a terminal the secret is asked for, and not shown', async () => {
    const { node, program, folder } = await packaged()
    const command = `${node} ${program} login --url ${system.url}`
    const terminal = spawn('script', ['-qec', command, join(scratch, 'typescript')], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', ...env },
    })
    let shown = ''
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
    const ended = once(terminal, 'close')
    await eventually(() => shown.includes(`API key or operator token for ${system.url}: `), 'the question')

    terminal.stdin.write(`${tenant.secret}x\u007f\r`)

    expect([await ended, shown]).toEqual([[0, null], expect.stringContaining('Logged in')])
    expect(shown).not.toContain('wsk_')
    expect(readProfiles(env).profiles[0]?.token).toBe(tenant.secret)
  })
})

const profile = (name: string): Profile => ({
  name,
  baseUrl: 'https://workspace.example',
  token: `wsk_${name}`,
  audience: 'api',
  workspaceId: null,
  label: 'Key',
})

describe('the file of profiles', () => {
  test.each([
    [
      '644',
      (file: string) => chmodSync(file, 0o644),
      /can be read or changed by others \(mode 644\)\. Run `chmod 600 /,
    ],
    ['damaged', (file: string) => writeFileSync(file, '{"profiles":[{}]}'), /is damaged\. Remove it/],
    ['half', (file: string) => writeFileSync(file, '{"profi'), /is damaged\. Remove it/],
  ])('that is %s is refused with the remedy', async (_what, harm, said) => {
    writeProfiles(env, { current: 'a', profiles: [profile('a')] })
    harm(path())

    expect(() => readProfiles(env)).toThrow(said)
    expect(await workspace(['whoami'], { env })).toMatchObject({ code: 2, stderr: expect.stringMatching(said) })
  })

  test('is not written into a folder that others may read', () => {
    mkdirSync(dirname(path()), { recursive: true, mode: 0o755 })

    expect(() => writeProfiles(env, { current: null, profiles: [] })).toThrow(/mode 755\)\. Run `chmod 700 /)
  })

  test('a secret is sent only to where it was given for', () => {
    writeProfiles(env, { current: 'a', profiles: [profile('a')] })
    const elsewhere = { ...env, BASE_URL: 'https://elsewhere.example' }
    const find = (more: object, named?: string) => findAccess({ ...env, ...more }, named, ['settings', 'api'])

    expect(() => findAccess(elsewhere, undefined, ['api'])).toThrow(
      /is of https:\/\/workspace\.example, and the environ/,
    )
    expect(find({ BASE_URL: 'https://workspace.example/' })).toMatchObject({ token: 'wsk_a' })
    // The address of a profile is not that of a secret of the environment.
    expect(find({ OPERATOR_TOKEN: 't' })).toMatchObject({ baseUrl: 'http://127.0.0.1:8080', audience: 'settings' })
    expect(find({ OPERATOR_TOKEN: 't' }, 'a')).toMatchObject({ token: 'wsk_a', profile: 'a' })
    expect(find({ WORKSPACE_ID: 'w' })).toMatchObject({ workspaceId: 'w' })
  })

  test('that cannot be used is no reason to refuse a secret of the environment, or to speak of another', () => {
    writeProfiles(env, { current: 'a', profiles: [profile('a')] })
    const given = { ...env, WORKSPACE_API_KEY: 'wsk_b' }
    const access = findAccess(given, undefined, ['api'])!

    expect(choiceNote(given, access, ['api'])).toMatch(/^Using WORKSPACE_API_KEY .*, not the profile a: /)
    expect(choiceNote(given, access, ['settings'])).toBeNull()
    chmodSync(path(), 0o644)
    expect([findAccess(given, undefined, ['api']), choiceNote(given, access, ['api'])]).toEqual([access, null])
  })

  test('relative XDG_CONFIG_HOME is ignored', () => {
    expect(profilesPath({ XDG_CONFIG_HOME: 'here', HOME: '/home/ada' })).toBe(
      '/home/ada/.config/workspace-cli/profiles.json',
    )
  })
})

describe('a secret', () => {
  test.each([
    [['login', 'wsk_secret'], 'Expected --name value, not "…".'],
    [['login', '--key', 'wsk_secret'], 'login has no field key; it has url.'],
  ])('is no argument: %j', async (words, said) => {
    const { code, stderr } = await workspace(words, { env })

    expect([code, stderr]).toEqual([
      2,
      `${said} The secret is typed, or comes on standard input: an argument can be seen by others.\n`,
    ])
  })

  test.each([
    ['', 'There is no secret on standard input.'],
    ['two words', 'is no secret: it has spaces'],
    ['x'.repeat(5_000), 'is no secret: it has spaces or line breaks in it, or is too long'],
  ])('%j is none', async (input, said) => {
    const ended = await workspace(['login', '--url', 'http://127.0.0.1:9'], { env, input })

    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(said) })
  })

  test('goes over plain http to another host with a warning only, and is not kept where nobody answers', async () => {
    const ended = await workspace(['login', '--url', 'http://host.invalid'], { env, input: 'wsk_x' })

    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(
      /^Warning: http:\/\/host\.invalid is not https[^]*does not answer[^]*Nothing is kept\./,
    )
  })
})
