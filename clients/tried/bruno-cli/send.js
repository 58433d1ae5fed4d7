// The Bruno collection as it is downloaded and unpacked, and every request of it sent once by `bru run`. Of its variables
// the key alone is set.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { unzipSync } from 'fflate'
import { judge } from '../sent-as-imported.js'

const { BASE_URL, API_KEY } = process.env

const archive = await (await fetch(`${BASE_URL}/docs/collections/bruno.zip`)).arrayBuffer()
for (const [path, content] of Object.entries(unzipSync(new Uint8Array(archive)))) {
  const file = join('collection', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
const results = resolve('results.json')
// A key has a hundred requests at once, and then ten a second.
const args = ['run', '-r', '--env', 'installation', '--env-var', `key=${API_KEY}`, '--delay', '50']
const { stdout, stderr } = spawnSync(resolve('node_modules/.bin/bru'), [...args, '--reporter-json', results], {
  cwd: 'collection',
  encoding: 'utf8',
})
const [run] = JSON.parse(readResults())
judge(
  run.results.map(({ request, response, error }) => ({
    method: request.method,
    path: request.url.replace(BASE_URL, ''),
    status: Number(response.status) || 0,
    text: error ?? (typeof response.data === 'string' ? response.data : JSON.stringify(response.data)),
  })),
)

function readResults() {
  try {
    return readFileSync(results, 'utf8')
  } catch (cause) {
    throw new Error(`bru wrote no results: ${stdout} ${stderr}`, { cause })
  }
}
