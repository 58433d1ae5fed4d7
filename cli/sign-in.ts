// `login`, `logout`, `whoami` and `profiles`: the secret of an installation is checked there before it is kept, and is
// shown by none of them again.
import { apiPrefix } from '#contract/route-paths.ts'
import type { Me } from '#contract/me.ts'
import { client, type Options } from '#clients/client.ts'
import { ApiError } from '#clients/typescript/src/errors.ts'
import { accessVariables, checkedUrl, defaultUrl, isSentInClear, urlIn } from './access.ts'
import { errorMessage, formatAnswer, withoutControls } from './answers.ts'
import { exitCodes, UsageError } from './arguments.ts'
import type { Access, Command, CommandOption, Console, ParsedArguments } from './command.ts'
import * as profiles from './profiles.ts'
import { readSecret } from './secret-input.ts'

const keyForm = /^wsk_/
export const secretIsNoArgument = 'The secret is typed, or comes on standard input: an argument can be seen by others.'
const defaultProfile = 'default'

/** What is known of the caller, without its secret. */
type Identity = Pick<Access, 'baseUrl' | 'workspaceId'> & {
  readonly label: string
  readonly me: Me | null
  readonly notes: readonly string[]
}

const urlOption: CommandOption = {
  name: 'url',
  value: 'address',
  meaning: `The installation. Default: ${accessVariables.url[0]}, or the one of the profile, or ${defaultUrl}.`,
}

export const login: Command = {
  name: 'login',
  summary: 'Keep an API key, or the operator token, for the next commands',
  description: `Prompts for the secret without showing it, or reads it from standard input; it is never an argument. It is checked with a request to the installation, and kept in a file that only you can read. --profile names it, so that there can be several; --workspace is the default workspace of its commands.`,
  options: [urlOption],
  audiences: null,
  examples: [
    'login --url https://workspace.example',
    'login --profile staging --url https://staging.example < key.txt',
  ],
  run: logIn,
}

export const logout: Command = {
  name: 'logout',
  summary: 'Forget the secret of a profile',
  description:
    'Removes the current profile, or the one that --profile names, from this machine. The key itself stays valid: revoke it in the workspace settings if it is no longer needed.',
  audiences: null,
  examples: ['logout', 'logout --profile staging'],
  async run({ profile }, console) {
    const all = profiles.readProfiles(console.environment)
    const name = profile ?? all.current
    if (name === null) throw new UsageError('There is no current profile.')
    profiles.writeProfiles(console.environment, profiles.withoutProfile(all, name))
    return console.say(`${name} is forgotten here. Its secret stays valid until it is revoked.\n`)
  },
}

export const whoami: Command = {
  name: 'whoami',
  summary: 'Show the installation and the identity that commands use',
  description: 'Asks the installation, so that it also says whether the secret is still valid.',
  audiences: ['api', 'settings'],
  examples: ['whoami', 'whoami --profile staging --json'],
  async run({ json }, console) {
    const access = console.access()
    const { me, label } = await identityOf(access, console.userAgent)
    const from = access.profile ?? 'the environment'
    const said = { profile: from, baseUrl: access.baseUrl, name: label, workspaceId: access.workspaceId, ...me }
    return console.say(json ? `${JSON.stringify(said, null, 2)}\n` : formatAnswer(said))
  },
}

const list: Command = {
  name: 'profiles list',
  summary: 'List the profiles',
  description: 'Where each is, as whom, and which one is current. Secrets are not shown.',
  audiences: null,
  examples: ['profiles list'],
  async run({ json }, console) {
    const all = profiles.readProfiles(console.environment)
    const data = all.profiles.map(({ token: _token, audience, label, ...rest }) => ({
      ...rest,
      type: audience === 'api' ? 'key' : 'operator',
      label,
      status: rest.name === all.current ? 'current' : '',
    }))
    return console.say(json ? `${JSON.stringify(data, null, 2)}\n` : profilesText(data))
  },
}

type Shown = {
  readonly name: string
  readonly status: string
  readonly type: string
  readonly baseUrl: string
  readonly label: string
}

function profilesText(data: readonly Shown[]): string {
  if (data.length === 0) return 'None.\n'
  const width = Math.max(...data.map(({ name }) => name.length))
  const line = ({ name, status, type, baseUrl, label }: Shown) =>
    `${status === '' ? ' ' : '*'} ${name.padEnd(width)}  ${baseUrl}  ${type}  ${label}`
  return data.map((each) => `${withoutControls(line(each))}\n`).join('')
}

const nameOperand = { name: 'name', meaning: 'The profile.', completes: 'profiles' } as const

const use: Command = {
  name: 'profiles use',
  summary: 'Choose the current profile',
  description: 'Commands use it unless --profile or the environment says otherwise.',
  operands: [nameOperand],
  audiences: null,
  examples: ['profiles use staging'],
  async run({ operands: [name = ''] }, console) {
    const all = profiles.readProfiles(console.environment)
    const { baseUrl } = profiles.profileNamed(all, name)
    profiles.writeProfiles(console.environment, { ...all, current: name })
    return console.say(`${name} is current: ${baseUrl}\n`)
  },
}

const remove: Command = {
  ...logout,
  name: 'profiles remove',
  summary: 'Remove a profile',
  operands: [nameOperand],
  examples: ['profiles remove staging'],
  run: (given, console) => logout.run({ ...given, profile: given.operands[0] }, console),
}

export const profileCommands = [list, use, remove]

async function logIn({ options, profile, workspaceId }: ParsedArguments, console: Console): Promise<number> {
  const { environment, program } = console
  const all = profiles.readProfiles(environment)
  const name = profile ?? environment[accessVariables.profile[0]] ?? defaultProfile
  profiles.assertProfileName(name)
  const known = all.profiles.find((each) => each.name === name)
  const [typed] = options.get('url') ?? []
  const url = typed === undefined ? undefined : checkedUrl(typed, '--url')
  const baseUrl = url ?? urlIn(environment) ?? known?.baseUrl ?? defaultUrl
  if (isSentInClear(baseUrl)) console.note(`Warning: ${baseUrl} is not https. The secret can be read on the way.\n`)
  const token = await readSecret(process.stdin, console.note, `API key or operator token for ${baseUrl}: `)
  if (token === null) return exitCodes.interrupted
  const audience = keyForm.test(token) ? 'api' : 'settings'
  const asked = { baseUrl, token, audience, workspaceId: workspaceId ?? null, profile: name } as const
  let identity: Identity
  try {
    identity = await identityOf(asked, console.userAgent)
  } catch (error) {
    if (error instanceof UsageError) throw error
    return console.fail(`${errorMessage(error, baseUrl)}\nNothing is kept.\n`)
  }
  const { label } = identity
  profiles.writeProfiles(
    environment,
    profiles.withProfile(all, { name, baseUrl, token, audience, workspaceId: identity.workspaceId, label }),
  )
  for (const note of identity.notes) console.note(`${note}\n`)
  const overruled = audience === 'api' ? accessVariables.api[0] : accessVariables.settings[0]
  if (environment[overruled]) console.note(`${overruled} is set, and comes before the profile.\n`)
  const how =
    all.current === null || all.current === name ? '' : ` \`${program} profiles use ${name}\` makes it current.`
  return console.say(`Logged in to ${baseUrl} as ${withoutControls(label)}, profile ${name}.${how}\n`)
}

/** Throws an ApiError when the secret is refused, and a UsageError when the workspace is none of its own. */
async function identityOf(access: Access, userAgent: string): Promise<Identity> {
  const { baseUrl, token, audience, workspaceId } = access
  const options: Options = { baseUrl, token, audience, userAgent }
  if (audience === 'settings') {
    if (workspaceId === null) await client(options).call('workspaces.list', { limit: 1 })
    else await client(options).call('workspaces.get', { id: workspaceId })
    return { baseUrl, workspaceId, label: 'the operator', me: null, notes: [] }
  }
  const me = await meOf(options)
  const { workspaces, workspaceSelection } = me
  const workspace = workspaces.find(({ id, slug }) => workspaceId === id || workspaceId === slug)
  const named = workspaces.map(({ id, slug }) => `  ${id}  ${withoutControls(slug)}`).join('\n')
  if (workspaceId !== null && workspace === undefined)
    throw new UsageError(`The key has no workspace ${workspaceId}. It has\n${named}`)
  const isOpen = workspace === undefined && workspaceSelection.required
  return {
    baseUrl,
    workspaceId: workspace?.id ?? null,
    label: me.apiKey.name,
    me,
    notes: isOpen
      ? [`The key has several workspaces: name one by --workspace, here or with each command.\n${named}`]
      : [],
  }
}

async function meOf(options: Options): Promise<Me> {
  try {
    return await client(options).call('me.get', {})
  } catch (error) {
    if (error instanceof ApiError || error instanceof TypeError) throw error
    throw new Error(
      `${options.baseUrl}${apiPrefix}/me answered nothing that can be read: ${(error as Error).message}`,
      {
        cause: error,
      },
    )
  }
}
