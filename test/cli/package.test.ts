// The package as it would be published: what is in it, and that it runs where nothing of this project is.
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { lacksForeign } from '../support/foreign.ts'
import { packaged, workspace, type Packaged } from './packaged.ts'

const root = join(import.meta.dirname, '../..')
const packedBytesMax = 300_000

let pack: Packaged
beforeAll(async () => {
  pack = await packaged()
})

test('it has the version of the product, no dependency, and one program', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const manifest = JSON.parse(readFileSync(join(pack.source, 'package.json'), 'utf8'))

  expect(Object.keys(manifest).filter((name) => /dependencies|imports/i.test(name))).toEqual([])
  expect(manifest).toMatchObject({ version, bin: { workspace: 'dist/main.js' }, engines: { node: '>=20' } })
  expect(globSync('node_modules/.bin/*', { cwd: pack.folder })).toEqual(['node_modules/.bin/workspace'])
})

test('it imports nothing but what Node has, names no folder of this machine, and has the licences of what is in it', () => {
  const dist = join(pack.program, '..')
  const code = globSync('*.js', { cwd: dist })
    .map((file) => readFileSync(join(dist, file), 'utf8'))
    .join('\n')
  const imported = Array.from(code.matchAll(/^(?:import|export) (?:.* from )?"([^"]+)";$/gm), ([, name = '']) => name)
  const licences = readFileSync(join(dist, 'licences.txt'), 'utf8')

  expect(imported.length).toBeGreaterThan(5)
  expect(imported.filter((name) => !isBuiltin(name) && !name.startsWith('./'))).toEqual([])
  expect(code).not.toContain(root)
  expect(code).not.toMatch(/["']#(?:contract|clients|runtime)\//)
  for (const name of ['typebox', 'csv-parse']) expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'))
})

test('its file is smaller than 300 kB', () => {
  const [archive = ''] = globSync('*.tgz', { cwd: pack.source })

  expect(statSync(join(pack.source, archive)).size).toBeLessThan(packedBytesMax)
})

test('it runs by its name in a foreign folder, and may read no other', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const named = execFileSync('node_modules/.bin/workspace', ['--version'], { cwd: pack.folder, encoding: 'utf8' })
  // The Node of this project can be kept from reading anything else.
  const args = ['--permission', `--allow-fs-read=${pack.folder}/*`, pack.program, 'tasks.list', '--help']
  const confined = spawnSync(process.execPath, args, { cwd: pack.folder, encoding: 'utf8', env: { HOME: pack.folder } })

  expect(named).toBe(`${version}\n`)
  expect([confined.status, confined.stderr]).toEqual([0, ''])
  expect(confined.stdout).toContain('workspace tasks.list')
})

test('its help names the program as it is typed, and each command has a help with an example', async () => {
  const { stdout } = await workspace(['--help'])
  const [, listed = ''] = /^Commands:\n([^]*?)\n\n/m.exec(stdout) ?? []
  const names = listed.split('\n').map((line) => line.trim().split(/ {2,}/)[0] ?? '')
  const helps = await Promise.all(names.map((name) => workspace([...name.split(' '), '--help'])))

  expect(stdout).not.toContain('npm run')
  expect(names.length).toBeGreaterThan(8)
  for (const [at, help] of helps.entries()) {
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(new RegExp(`^Examples:\n  workspace ${names[at]}\\b`, 'm'))
  }
})

test.skipIf(lacksForeign)('publint finds nothing to say', () => {
  const publint = join(root, 'test/node_modules/publint/src/cli.js')
  const said = spawnSync(process.execPath, [publint, 'run', pack.source, '--strict'], { encoding: 'utf8' })

  expect([said.status, said.stdout + said.stderr]).toEqual([0, expect.stringContaining('All good!')])
})

const shells = ['bash', 'zsh', 'fish'].filter((name) => spawnSync(name, ['-c', 'true']).status === 0)
const lacking = ['bash', 'zsh', 'fish'].filter((name) => !shells.includes(name))

/** What each shell offers after these words, asked as its own completion asks. */
const asking: Readonly<Record<string, (line: string) => string>> = {
  bash: (line) => {
    const words = line.replaceAll('=', ' = ').split(/ +/)
    const array = words.map((word) => `'${word}'`).join(' ')
    return `eval "$(workspace completion bash)"; COMP_WORDS=(${array}); COMP_CWORD=${words.length - 1}
      _workspace_complete; printf '%s\\n' "\${COMPREPLY[@]}"`
  },
  // What `_describe` is given, in its place.
  zsh: (line) =>
    `compdef() { :; }; _describe() { print -l -- "\${found[@]%%:*}" }; _files() { print -l -- files }
     eval "$(workspace completion zsh)"; words=(${line.replace(/ $/, " ''")}); CURRENT=$#words; _workspace_complete`,
  fish: (line) => `workspace completion fish | source; complete -C '${line}' | string split -f1 \\t`,
}

function offered(shell: string, line: string, env: Record<string, string> = {}): string[] {
  const path = `${join(pack.folder, 'node_modules/.bin')}:${join(pack.node, '..')}:${process.env['PATH'] ?? ''}`
  const args = shell === 'zsh' ? ['-f', '-c'] : ['-c']
  const { stdout, stderr } = spawnSync(shell, [...args, asking[shell]!(line)], {
    cwd: pack.source,
    encoding: 'utf8',
    env: { HOME: pack.folder, PATH: path, ...env },
  })
  return [...stdout.split('\n').filter(Boolean), ...(stderr === '' ? [] : [`error: ${stderr}`])]
}

describe.each(shells)('completion in %s', (shell) => {
  test('offers commands and operations, the second words, and options', () => {
    expect(offered(shell, 'workspace prof')).toEqual(['profiles'])
    expect(offered(shell, 'workspace tasks.li')).toEqual(['tasks.list', 'tasks.list-comments'])
    expect(offered(shell, 'workspace profiles ').toSorted()).toEqual(['list', 'remove', 'use'])
    expect(offered(shell, 'workspace tasks.list --stat')).toEqual(['--status'])
    expect(offered(shell, 'workspace completion ').toSorted()).toEqual(['bash', 'fish', 'zsh'])
  })

  test('offers the values of an enumeration, after an equal sign and within a list too', () => {
    const values = offered(shell, 'workspace tasks.list --status do')
    const inList = offered(shell, 'workspace tasks.list --status todo,do')
    const inline = offered(shell, 'workspace tasks.list --status=do')

    expect(values).toEqual(['done'])
    expect(inList).toEqual(['todo,done'])
    expect(inline).toEqual([shell === 'bash' ? 'done' : '--status=done'])
  })

  test('an option that was given is not offered again, nor an operation that the secret cannot call', () => {
    const options = offered(shell, 'workspace tasks.list --limit 5 --li')
    const asOperator = offered(shell, 'workspace tasks.li', { OPERATOR_TOKEN: 'token' })

    expect(options).toEqual([])
    expect(asOperator).toEqual([])
  })
})

test.skipIf(lacking.length > 0)(`completion is tried in every shell (lacking: ${lacking.join(', ') || 'none'})`, () => {
  expect(shells).toEqual(['bash', 'zsh', 'fish'])
})
