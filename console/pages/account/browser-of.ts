// A browser and its system, from the header that it sends: enough to know one's own again.

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['Windows', 'Windows'],
  ['iPhone', 'iOS'],
  ['iPad', 'iOS'],
  ['Android', 'Android'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

export function browserOf(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown'
  const browser = browsers.find(([sign]) => userAgent.includes(sign))?.[1]
  const system = systems.find(([sign]) => userAgent.includes(sign))?.[1]
  if (browser === undefined) return userAgent.slice(0, 40)
  return system === undefined ? browser : `${browser} on ${system}`
}
