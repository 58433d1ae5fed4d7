// Hosts of their own for the three tiers, in network namespaces on a bridge: what crosses from one to another crosses a
// network. Every link of a tier goes through a relay on this host, which can hold bytes back; the tier's own host drops
// packets. Needs root, `ip` and `iptables`.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from '../support/processes.ts'

const tierNames = ['gateway', 'service', 'dispatcher'] as const
export type TierName = (typeof tierNames)[number]

export type Link = {
  /** Of the relay, as the tier reaches it. */
  readonly address: string
  readonly port: number
  /** Each piece of bytes comes so much later, in either direction. */
  delay(ms: number): void
  /** From then on the tier's packets do not arrive, or those of the other end do not, or neither. */
  drop(which: 'sent' | 'received' | 'both'): void
}
export type Hosts = AsyncDisposable & {
  address(tier: TierName): string
  place(tier: TierName): Place
  /** A link of the tier to what listens on this host, or on that of another tier. */
  link(tier: TierName, target: { readonly host: string; readonly port: number }): Promise<Link>
  /** Of all packets that the tiers send and get, this share is dropped. */
  lose(share: number): void
  /** Nothing is dropped or held back any more. */
  heal(): void
}

/** Of this process, so that several can have hosts at once. */
const mark = process.pid.toString(36)
const bridge = `wia${mark}`
const network = `10.${96 + (process.pid % 32)}.${(process.pid >> 5) % 256}`
const here = `${network}.1`
/** Where webhooks may be sent to. */
export const hostsRange = `${network}.0/24`
const namespaceOf = (tier: TierName): string => `wia-${mark}-${tier}`
const ip = (...args: readonly string[]): void => void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
const onHost = (tier: TierName, ...args: readonly string[]): void => ip('netns', 'exec', namespaceOf(tier), ...args)

/** Hosts can be made by root alone, with these programs. */
export const canMakeHosts = (): boolean =>
  process.getuid?.() === 0 && ['ip', 'iptables'].every((name) => existsSync(`/usr/sbin/${name}`))

export async function openHosts(): Promise<Hosts> {
  const folder = mkdtempSync(join(tmpdir(), 'wia-hosts-'))
  for (const left of leftHosts()) remove(left)
  ip('link', 'add', bridge, 'type', 'bridge')
  ip('addr', 'add', `${here}/24`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
  const address = (tier: TierName): string => `${network}.${11 + tierNames.indexOf(tier)}`
  for (const tier of tierNames) addHost(tier, address(tier), join(folder, tier))
  const links: (Link & { close(): void })[] = []
  return {
    address,
    place: (tier) => ({ folder: join(import.meta.dirname, '../..'), node: join(folder, tier) }),
    link: async (tier, target) => {
      const link = await openLink(tier, target)
      links.push(link)
      return link
    },
    lose: (share) => {
      const rule = ['-m', 'statistic', '--mode', 'random', '--probability', String(share), '-j', 'DROP']
      for (const tier of tierNames) {
        onHost(tier, 'iptables', '-A', 'INPUT', '!', '-i', 'lo', ...rule)
        onHost(tier, 'iptables', '-A', 'OUTPUT', '!', '-o', 'lo', ...rule)
      }
    },
    heal: () => {
      for (const tier of tierNames) onHost(tier, 'iptables', '-F')
      for (const link of links) link.delay(0)
    },
    [Symbol.asyncDispose]: async () => {
      for (const link of links) link.close()
      remove(mark)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** `program`: a file that runs Node on the host. */
function addHost(tier: TierName, address: string, program: string): void {
  const [namespace, outer, inner] = [namespaceOf(tier), `wia${mark}${tier.charAt(0)}o`, `wia${mark}${tier.charAt(0)}i`]
  ip('netns', 'add', namespace)
  ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner)
  ip('link', 'set', inner, 'netns', namespace)
  ip('link', 'set', outer, 'master', bridge)
  ip('link', 'set', outer, 'up')
  onHost(tier, 'ip', 'addr', 'add', `${address}/24`, 'dev', inner)
  for (const device of [inner, 'lo']) onHost(tier, 'ip', 'link', 'set', device, 'up')
  writeFileSync(program, `#!/bin/sh\nexec ip netns exec ${namespace} ${process.execPath} "$@"\n`)
  chmodSync(program, 0o755)
}

/** The marks of processes that have left their hosts behind. */
function leftHosts(): string[] {
  const names = execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })
  const marks = new Set([...names.matchAll(/^wia-([0-9a-z]+)-/gm)].flatMap(([, found]) => found ?? []))
  return [...marks].filter((found) => !existsSync(`/proc/${Number.parseInt(found, 36)}`))
}

function remove(of: string): void {
  for (const args of [...tierNames.map((tier) => ['netns', 'del', `wia-${of}-${tier}`]), ['link', 'del', `wia${of}`]])
    try {
      ip(...args)
    } catch {
      // It is not there.
    }
}

async function openLink(tier: TierName, target: { readonly host: string; readonly port: number }) {
  let delayMs = 0
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const other = connect({ ...target, allowHalfOpen: true })
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      passOn(from, to, () => delayMs)
      from.on('error', () => to.destroy())
      from.once('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  }).listen(0, here)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const drop = (...rule: readonly string[]) => onHost(tier, 'iptables', '-A', ...rule, '-j', 'DROP')
  return {
    address: here,
    port,
    delay: (ms: number) => {
      delayMs = ms
    },
    drop: (which: 'sent' | 'received' | 'both') => {
      if (which !== 'received') drop('OUTPUT', '-p', 'tcp', '-d', here, '--dport', String(port))
      if (which !== 'sent') drop('INPUT', '-p', 'tcp', '-s', here, '--sport', String(port))
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** In their order, whatever is held back. */
function passOn(from: Socket, to: Socket, delayMs: () => number): void {
  let waiting = 0
  const later = (act: () => void): void => {
    const ms = delayMs()
    if (ms === 0 && waiting === 0) return act()
    waiting += 1
    setTimeout(() => {
      waiting -= 1
      act()
    }, ms)
  }
  from.on('data', (chunk) => later(() => void (to.writable && to.write(chunk))))
  from.on('end', () => later(() => to.end()))
}
