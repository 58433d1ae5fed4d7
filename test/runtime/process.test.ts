import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { closeAll, StartupError, startupSentence } from '#runtime/process.ts'
import { eventually } from '../support/eventually.ts'

const children: ChildProcess[] = []
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')))

type Line = { readonly time: number; readonly level: number; readonly msg: string }
/** By the times of the lines: those of the last moment may stand before what was still being written. */
const linesOf = (stdout: string): Line[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .toSorted((one, other) => one.time - other.time)

test('a process that gets SIGTERM drains, closes and ends with 0', async () => {
  const drain = `console.log('draining'); await new Promise((resolve) => setTimeout(resolve, 50)); console.log('drained')`
  const { child, output, ended } = serving({ drain, close: `console.log('closed')` })
  await says(output, 'started')

  child.kill('SIGTERM')

  const { code, stdout } = await ended
  const said = linesOf(stdout).map(({ msg }) => msg)
  expect([code, said.join(' ')]).toEqual([0, expect.stringMatching(/draining.*drained.*closed/)])
})

test('nothing that was logged is lost at the end, whether the process stops or fails', async () => {
  const lines = `for (let at = 0; at < 5000; at++) log.info({ at }, 'line')`
  const stopped = serving({ close: lines })
  await says(stopped.output, 'started')
  stopped.child.kill('SIGTERM')
  const failed = running(`run('sample', async (log) => {
    setTimeout(() => { ${lines}; throw new Error('out of luck') }, 1)
    return { close: async () => {} }
  })`)

  for (const { stdout } of [await stopped.ended, await failed.ended])
    expect(stdout.match(/"msg":"line"/g)).toHaveLength(5000)
  expect((await failed.ended).stdout).toContain('out of luck')
  expect((await stopped.ended).stdout).toContain('stopped')
})

test('what libraries and Node print by themselves are lines of the log, secrets masked', async () => {
  const { child, output, ended } = serving({
    start: `
      console.error('[ioredis] Unhandled error event: %s', 'redis://:hunter2@127.0.0.1:1')
      console.log('two\\nlines')
      process.emitWarning('use another method', 'DeprecationWarning', 'DEP0')`,
  })
  await says(output, 'another method')
  child.kill('SIGTERM')
  const { stdout, stderr } = await ended

  const said = linesOf(stdout).map(({ level, msg }) => `${level} ${msg}`)
  const ioredis = '50 [ioredis] Unhandled error event: redis://:[redacted]@127.0.0.1:1'
  expect(said).toEqual(expect.arrayContaining([ioredis, '30 two\nlines', '40 use another method']))
  expect(stderr).toBe('')
})

test('a second signal does not wait for the draining', async () => {
  const { child, output, ended } = serving({ drain: `console.log('draining'); await new Promise(() => {})` })
  await says(output, 'started')

  child.kill('SIGTERM')
  await says(output, 'draining')
  child.kill('SIGTERM')

  expect(await ended).toMatchObject({ code: 1 })
})

test('an error of the start ends the process: of settings by 78 and a line each, a port in use by 1 and a sentence, any other by its stack', async () => {
  await using taken = await listening()
  const failing = (source: string) => running(`run('sample', async () => { ${source} })`).ended
  const listens = `await new Promise((_, reject) => createServer().on('error', reject).listen(${taken.port}, '127.0.0.1'))`

  const endings = [
    failing(`throw new SettingsError(['A', 'B'])`),
    failing(listens),
    failing(`throw new TypeError('boom')`),
  ]

  const sentence = `Port ${taken.port} is already in use (127.0.0.1:${taken.port}).\n`
  expect(await Promise.all(endings)).toMatchObject([
    { code: 78, stderr: 'A\nB\n' },
    { code: 1, stderr: sentence, stdout: '' },
    { code: 1, stdout: expect.stringContaining('TypeError: boom') },
  ])
})

test('parts close in reverse, and one that fails or hangs does not keep the others open', async () => {
  const closed: string[] = []
  const part = (name: string) => ({ close: async () => void closed.push(name) })
  const failing = { close: () => Promise.reject(new Error('no')) }
  const hanging = { close: () => new Promise<void>(() => {}) }

  const closing = closeAll([part('first'), failing, hanging, part('last')], 20)

  await expect(closing).rejects.toThrow('Some parts did not close')
  expect(closed).toEqual(['last', 'first'])
})

test('the sentence is found below the error that wraps it', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', address: '127.0.0.1', port: 5432 })

  expect(startupSentence(new Error('query failed', { cause: new AggregateError([refused]) }))).toBe(
    'Nothing answers at 127.0.0.1:5432.',
  )
  expect(startupSentence(new StartupError('Run it later.'))).toBe('Run it later.')
  expect(startupSentence(new Error('query failed'))).toBeNull()
})

/** A program that goes on until it is told to stop; what it does at its start and at its end is given as source. */
const serving = ({ start = '', drain = '', close = '' }) =>
  running(`run('sample', async (log) => {
    const timer = setInterval(() => {}, 1000)
    ${start}
    return { drain: async () => { ${drain} }, close: async () => { clearInterval(timer); ${close} } }
  })`)
const says = (output: { readonly stdout: string }, text: string) => eventually(() => output.stdout.includes(text), text)

function running(program: string) {
  const source = `import { createServer } from 'node:net'
import { run } from '#runtime/process.ts'
import { SettingsError } from '#runtime/settings.ts'
await ${program}`
  const args = ['--input-type=module', '--eval', source]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (output.stdout += chunk))
  child.stderr.on('data', (chunk) => (output.stderr += chunk))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  return { child, output, ended }
}

async function listening() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, [Symbol.asyncDispose]: async () => void server.close() }
}
