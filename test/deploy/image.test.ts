import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const [packages = '', final = ''] = read('Dockerfile')
  .split(/^FROM /m)
  .slice(1)

test('the image is built in two stages on the Node that the project names', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }

  for (const stage of [packages, final]) expect(stage).toMatch(/^node:24-slim/)
  expect(engines.node).toBe('>=24')
})

test('the last stage takes only what is left without development dependencies', () => {
  expect(packages).toMatch(/npm ci [^]*&& npm prune --omit=dev --omit=optional/)
  expect(final).not.toMatch(/^RUN/m)
  for (const built of ['node_modules', 'prisma/generated', 'docs', 'console/dist']) {
    expect(final).toContain(`COPY --from=packages /app/${built} ${built}`)
  }
  for (const left of ['node_modules', 'prisma/generated', 'console/dist', 'test', 'data', '.*']) {
    expect(read('.dockerignore').split('\n')).toContain(left)
  }
})

test('the descriptions that the gateway serves are built in the image', () => {
  expect(packages).toMatch(/^RUN node docs\/openapi\.ts/m)
  expect(read('.dockerignore')).toMatch(/^docs\n!docs\/openapi\.ts$/m)
})

test('the changelog that the gateway serves is in the image', () => {
  expect(read('.dockerignore')).toMatch(/^\*\.md\n!CHANGELOG\.md$/m)
})

test('the console is built in the image', () => {
  expect(packages).toMatch(/^ {2}&& node console\/build\/main\.ts \\$/m)
})

test('the process in the image is not root', () => {
  const users = Array.from(final.matchAll(/^USER (\S+)/gm), ([, user]) => user)

  expect(users).toEqual(['node'])
})

test('no process imports a development dependency', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
  const sources = globSync('{contract,runtime,gateway,service,dispatcher,prisma,standalone,clients,cli}/**/*.ts', {
    cwd: root,
  })
  // What no process loads: starter files are given away.
  const notLoaded = /^(?:prisma\/generated\/|prisma\/diff\.ts$|clients\/starter\/)/
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
  return outside.map((specifier) =>
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/'),
  )
}
