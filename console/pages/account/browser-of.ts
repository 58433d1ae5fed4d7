// A browser and its system, from the header that it sends: enough to know one's own again.

import { texts } from './texts.ts'

const browsers = [
  [texts.edg, texts.edge],
  ['OPR/', texts.opera],
  [texts.firefox, texts.browserOfFirefox],
  [texts.chrome, texts.browserOfChrome],
  [texts.safari, texts.browserOfSafari],
] as const
const systems = [
  [texts.windows, texts.windows],
  ['iPhone', 'iOS'],
  ['iPad', 'iOS'],
  [texts.android, texts.android],
  [texts.macOs, 'macOS'],
  [texts.linux, texts.linux],
] as const

export function browserOf(userAgent: string | null): string {
  if (userAgent === null) return texts.unknown
  const browser = browsers.find(([sign]) => userAgent.includes(sign))?.[1]
  const system = systems.find(([sign]) => userAgent.includes(sign))?.[1]
  if (browser === undefined) return userAgent.slice(0, 40)
  return system === undefined ? browser : texts.on(browser, system)
}
