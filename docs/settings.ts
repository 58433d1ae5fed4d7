// The table of settings in the README, printed from the lists that the processes themselves read.
// `npm run docs` writes it; docs/check.ts refuses one that is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Setting } from '#runtime/settings.ts'
import { settings as dispatcher } from '../dispatcher/settings.ts'
import { settings as gateway } from '../gateway/settings.ts'
import { settings as migrate } from '../prisma/settings.ts'
import { settings as service } from '../service/settings.ts'
import { settings as standalone } from '../standalone/settings.ts'

export const readme = join(import.meta.dirname, '../README.md')
const block = /(?<=<!-- settings -->\n)[^]*(?=<!-- \/settings -->)/

const processes = { standalone, gateway, service, dispatcher }
const jobs = { migrate }
export type ListedSetting = { readonly setting: Setting<unknown>; readonly defaults: ReadonlyMap<string, string> }

export const withSettings = (text: string): string => text.replace(block, `${table()}\n`)

const emptyValueNote =
  'An empty variable is accepted only if the table says what it means. Otherwise the process does not start, and names the variable.'

function table(): string {
  const rows = [...settingsByName({ ...processes, ...jobs })].map(
    ([name, { setting, defaults }]) => `| \`${name}\` | ${meaning(setting)} | ${defaultCell(defaults)} |`,
  )
  return ['| setting | meaning | default |', '|---|---|---|', ...rows, '', emptyValueNote].join('\n')
}

/** Every setting of these processes, sorted by name. */
export function settingsByName(
  of: Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>>,
): Map<string, ListedSetting> {
  const all = new Map<string, { setting: Setting<unknown>; defaults: Map<string, string> }>()
  for (const [process, settings] of Object.entries(of)) {
    for (const setting of Object.values<Setting<unknown>>(settings)) {
      const entry = all.get(setting.name) ?? { setting, defaults: new Map() }
      entry.defaults.set(process, shown(setting))
      all.set(setting.name, entry)
    }
  }
  return new Map([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export const meaning = ({ description, unit, whenEmpty }: Setting<unknown>): string =>
  [description, unit && `In ${unit}.`, whenEmpty && `Given and empty: ${whenEmpty}.`].filter(Boolean).join(' ')

/** One value where all processes agree, else one for each process. */
function defaultCell(defaults: ReadonlyMap<string, string>): string {
  if (new Set(defaults.values()).size === 1) {
    const where = Object.keys(processes).every((process) => defaults.has(process))
      ? ''
      : ` (${[...defaults.keys()].join(', ')})`
    return `${[...defaults.values()][0]}${where}`
  }
  return [...defaults].map(([process, value]) => `${process}: ${value}`).join('; ')
}

function shown({ default: value }: Setting<unknown>): string {
  if (value === undefined) return 'must be given'
  if (value === null) return 'none'
  const text = Array.isArray(value) || typeof value === 'string' ? value.toString() : JSON.stringify(value)
  return text === '' ? 'empty' : `\`${text}\``
}

if (import.meta.main) writeFileSync(readme, withSettings(readFileSync(readme, 'utf8')))
