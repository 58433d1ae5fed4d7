// No Docker engine is needed: the steps of the Dockerfile are run as an engine would run them.
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { consolePrefix, publicPaths } from '#contract/route-paths.ts'
import { clientOf, must } from '../support/client.ts'
import { emptyPostgres } from '../support/database.ts'
import { dropQueues } from '../support/drop-queues.ts'
import { buildImage, type BuiltImage } from '../support/image-build.ts'
import { runToEnd, start, type Place, type Program } from '../support/processes.ts'
import { services } from '../support/services.ts'
import { settingsFor } from '../support/system.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
/** Who owns no file of the image: `nobody` of Debian. Only root can become another user. */
const uid = process.getuid?.() === 0 ? 65_534 : undefined
const { postgres, redis, rabbit } = services()

describe('the image', () => {
  let image: BuiltImage
  beforeAll(async () => {
    image = await buildImage(root)
  }, 300_000)
  afterAll(() => image[Symbol.dispose]())

  const inImage = (path: string): string => join(image.root, image.workdir, path)

  test('holds what its steps name; no tests, no data, no hidden files and no package that only development needs', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> }
    const installed = globSync(['*/package.json', '@*/*/package.json'], { cwd: inImage('node_modules') })
    const forDevelopment = installed.map(dirname).filter((name) => packages[`node_modules/${name}`]?.dev !== undefined)

    const descriptions = [
      'openapi.json',
      'openapi.yaml',
      'postman.json',
      'bruno.json',
      'requests.http',
      'workflows.arazzo.yaml',
    ]
    const made = [
      ...descriptions.map((name) => `docs/${name}`),
      'docs/workspace-cli.tgz',
      'console/dist/index.html',
      'prisma/generated/client.ts',
    ]
    for (const file of made) expect(globSync(file, { cwd: inImage('.') }), file).toHaveLength(1)
    expect(globSync(['test', 'bench', 'data', 'deploy', 'screens', '.*'], { cwd: inImage('.') })).toEqual(['.npmrc'])
    expect(installed.length).toBeGreaterThan(50)
    expect(forDevelopment).toEqual([])
    expect(globSync('@prisma/client/runtime/query_compiler_*', { cwd: inImage('node_modules') })).not.toEqual([])
    expect(globSync('**/*.js.map', { cwd: inImage('node_modules') })).toEqual([])
  })

  test('runs on the Node that the project names, by a user who is not root', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
    const bases = Array.from(read('Dockerfile').matchAll(/^FROM (\S+)/gm), ([, base]) => base)

    expect(engines.node).toBe('>=24')
    expect(bases).toEqual(['node:24-slim', 'node:24-slim'])
    expect(image.user).toBe('node')
  })

  test.skipIf([postgres, redis, rabbit].includes(null))(
    'starts all three tiers as a user who may write nothing, and serves calls, documents and console',
    async () => {
      const { url, drop } = await emptyPostgres()
      await using undo = new AsyncDisposableStack()
      undo.defer(drop)
      const { internalSecret, operatorToken, brand } = settingsFor('distributed')
      undo.defer(() => dropQueues(rabbit ?? '', brand))
      const stores = { DATABASE_URL: url, REDIS_URL: redis ?? '', AMQP_URL: rabbit ?? '' }
      const secrets = { INTERNAL_SECRET: internalSecret, OPERATOR_TOKEN: operatorToken, BRAND: brand }
      const env = { ...image.env, ...stores, ...secrets, LOG_LEVEL: 'warn', HOST: '127.0.0.1', HOME: '/nonexistent' }
      const place: Place = { folder: inImage('.'), node: image.node, uid }

      const migrated = await runToEnd(programOf('migrate'), env, place)
      const service = undo.use(await start(programOf('service'), env, place))
      const gateway = undo.use(await start(programOf('gateway'), { ...env, SERVICE_URLS: service.url }, place))
      const dispatcher = undo.use(await start(programOf('dispatcher'), env, place))

      expect(migrated).toMatchObject({ code: 0, stderr: '' })
      expect(image.command).toEqual(['node', programOf('gateway')])
      const tenant = await clientOf(gateway.url, operatorToken).tenant()
      must(await tenant.api('POST', '/api/v1/projects', { name: 'From the image' }))
      for (const path of [consolePrefix, ...Object.values(publicPaths).filter((each) => !each.includes('{'))])
        expect((await fetch(gateway.url + path)).status, path).toBe(200)
      for (const running of [dispatcher, service, gateway])
        expect(await running.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
    },
    120_000,
  )
})

/** As docker-compose.yml starts it. */
function programOf(name: string): Program {
  const { services: containers } = parse(read('docker-compose.yml')) as {
    services: Record<string, { command?: string[] }>
  }
  return (containers[name]?.command?.[1] ?? '') as Program
}

test('no process imports a development dependency', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
  const sources = globSync('{contract,runtime,gateway,service,dispatcher,prisma,standalone,clients,cli}/**/*.ts', {
    cwd: root,
  })
  // What no process loads: it builds a package, is given away, or tries clients of others by itself.
  const notLoaded = /^(?:prisma\/generated\/|prisma\/diff\.ts$|cli\/build\.ts$|clients\/(?:starter|tried)\/)/
  const files = sources.filter((file) => !notLoaded.test(file))

  const missing = files.flatMap((file) =>
    packagesIn(read(file))
      .filter((name) => !(name in dependencies))
      .map((name) => `${file}: ${name}`),
  )

  expect(files.length).toBeGreaterThan(50)
  expect(missing).toEqual([])
})

function packagesIn(source: string): string[] {
  const imports = /^(?:(?:import|export)(?! type).* from|\} from|import) '([^']+)'/gm
  const specifiers = Array.from(source.matchAll(imports), ([, specifier = '']) => specifier)
  const outside = specifiers.filter((specifier) => !/^[.#]/.test(specifier) && !isBuiltin(specifier))
  return outside.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '')
}
