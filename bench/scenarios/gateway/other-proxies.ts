// The rows of nginx and haproxy, where the machine has them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { scratchFile } from '../../measure/child.ts'
import { freePort } from '../../measure/free-port.ts'
import { isInstalled, serveOther } from '../../measure/other-program.ts'
import { serveProgram } from '../../measure/program.ts'
import type { Row } from '../../measure/rounds.ts'
import { haproxy, keyMap } from '../../peers/haproxy.ts'
import { bareNginx, nginxWithAuth } from '../../peers/nginx.ts'
import type { Plan as AuthService } from '../../programs/auth-service.ts'
import { against, type Setting } from './rows.ts'

export const otherProxies = (setting: Setting): Row[] => [
  ...(isInstalled('nginx') ? [nginxAlone(setting)] : []),
  ...nginxWithPolicy(setting),
  ...(isInstalled('haproxy') ? [haproxyPolicy(setting)] : []),
]

export const nginxWithPolicy = (setting: Setting): Row[] => (isInstalled('nginx') ? [nginxPolicy(setting)] : [])

const nginxAlone = (setting: Setting): Row => ({
  name: 'nginx',
  measure: async () => {
    const parts = { port: await freePort(), origin: setting.origin, folder: scratchFolder('nginx') }
    await using server = await nginx(parts.port, bareNginx(parts))
    return await against(server, setting)
  },
})

const nginxPolicy = (setting: Setting): Row => ({
  name: 'nginx + auth_request',
  measure: async () => {
    await using auth = await serveProgram('auth-service', 'measured', { keys: setting.records } satisfies AuthService)
    const parts = { port: await freePort(), origin: setting.origin, folder: scratchFolder('nginx') }
    await using server = await nginx(parts.port, nginxWithAuth({ ...parts, auth: auth.url }))
    return await against(server, setting, [auth.pid])
  },
})

const haproxyPolicy = (setting: Setting): Row => ({
  name: 'haproxy',
  measure: async () => {
    const port = await freePort()
    const mapFile = written('keys.map', keyMap(setting.keys))
    const config = written('haproxy.cfg', haproxy({ port, origin: setting.origin, mapFile }))
    await using server = await serveOther({ name: 'haproxy', args: ['-db', '-f', config], port })
    return await against(server, setting)
  },
})

const nginx = (port: number, config: string) =>
  serveOther({ name: 'nginx', args: ['-c', written('nginx.conf', config)], port })

function written(name: string, text: string): string {
  const file = scratchFile(name)
  writeFileSync(file, text)
  return file
}

function scratchFolder(name: string): string {
  const folder = scratchFile(name)
  mkdirSync(folder)
  return folder
}
