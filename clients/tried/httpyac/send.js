// The `.http` file as it is downloaded, and every request of it sent once by httpYac. The key comes from the environment.
import { spawnSync } from 'node:child_process'
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import { judge } from '../sent-as-imported.js'

const { BASE_URL, API_KEY, ...rest } = process.env

writeFileSync('requests.http', await (await fetch(`${BASE_URL}/docs/collections/requests.http`)).text())
// It ends before a pipe has taken all.
spawnSync('node_modules/.bin/httpyac', ['send', 'requests.http', '--all', '--json', '--output', 'response'], {
  env: { ...rest, WORKSPACE_API_KEY: API_KEY },
  stdio: ['ignore', openSync('results.json', 'w'), 'inherit'],
})
const { requests } = JSON.parse(readFileSync('results.json', 'utf8'))
judge(
  requests.map(({ response }) => {
    const [, method, url = ''] = / - (\w+) (.*)$/.exec(response?.name ?? '') ?? []
    return { method, path: url.replace(BASE_URL, ''), status: response?.statusCode ?? 0, text: response?.body ?? '' }
  }),
)
