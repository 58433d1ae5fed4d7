// The settings of the tiers as Kubernetes gives them to pods: what is secret from a Secret, all else from a ConfigMap.
// Both files list every setting with its meaning, from the lists that the processes themselves read. `npm run docs`
// writes them and keeps the values that are set; docs/check.ts refuses files that are out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Setting } from '#runtime/settings.ts'
import { otlpEndpoint } from '#runtime/tracing/settings.ts'
import { settings as dispatcher } from '../dispatcher/settings.ts'
import { settings as gateway } from '../gateway/settings.ts'
import { settings as service } from '../service/settings.ts'
import { meaning, settingsByName, type ListedSetting } from './settings.ts'

const folder = join(import.meta.dirname, '../deploy/kubernetes')
const columns = 110

/** Hidden, since addresses may hold passwords. It names a Service of the cluster here. */
const isAddressOfCluster = (name: string): boolean => name === 'SERVICE_URLS'
/** Hidden likewise, and refused with a password in it. */
const isAddressWithout = (name: string): boolean => name === otlpEndpoint.name
export const isSecret = ({ name, hidden }: Setting<unknown>): boolean =>
  hidden && !isAddressOfCluster(name) && !isAddressWithout(name)
/** Differs between the tiers, so each Deployment has it. */
const isOfDeployment = (name: string): boolean => name === 'PORT'

const all = [...settingsByName({ gateway, service, dispatcher }).values()].filter(
  ({ setting }) => !isOfDeployment(setting.name),
)
const files = [
  {
    path: join(folder, 'base/settings.env'),
    head: 'Every setting that is not secret, of all tiers. Set in an overlay what is to differ: its settings.env comes on top of this file.',
    listed: all.filter(({ setting }) => !isSecret(setting)),
  },
  {
    path: join(folder, 'secrets.env.example'),
    head: 'Every secret setting, of all tiers. Copy this file to secrets.env of your overlay, fill in what has no #, and keep it out of the repository.',
    listed: all.filter(({ setting }) => isSecret(setting)),
  },
]

/** Each file with what it should hold. */
export const kubernetesFiles = (): [path: string, text: string][] =>
  files.map(({ path, head, listed }) => [path, fileText(head, listed, valuesIn(readFileSync(path, 'utf8')))])

const fileText = (head: string, listed: readonly ListedSetting[], values: ReadonlyMap<string, string>): string =>
  [commented(head), ...listed.map((entry) => `${commented(about(entry))}\n${assignment(entry, values)}`), '']
    .join('\n\n')
    .replace(/\n+$/, '\n')

function about({ setting, defaults }: ListedSetting): string {
  const texts = new Set(defaults.values())
  const [only = ''] = texts
  if (texts.size > 1) return `${meaning(setting)} Default: ${[...defaults].map((each) => each.join(' ')).join(', ')}.`
  if (only === 'must be given') return `${meaning(setting)} It must be given.`
  return `${meaning(setting)} Default: ${only.replaceAll('`', '')}.`
}

function assignment({ setting, defaults }: ListedSetting, values: ReadonlyMap<string, string>): string {
  const { name } = setting
  const value = values.get(name)
  if (value !== undefined) return `${name}=${value}`
  if ([...defaults.values()].includes('must be given') && !isAddressOfCluster(name)) return `${name}=`
  const [only = ''] = new Set(defaults.values())
  return `#${name}=${/^`.*`$/.test(only) ? only.slice(1, -1) : ''}`
}

/** Those that are set: a line with a name and no `#` before it. */
export const valuesIn = (text: string): Map<string, string> =>
  new Map(Array.from(text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm), ([, name = '', value = '']) => [name, value]))

function commented(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!
    if (last !== '' && last.length + word.length >= columns) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.map((line) => `# ${line}`).join('\n')
}

if (import.meta.main) for (const [path, text] of kubernetesFiles()) writeFileSync(path, text)
