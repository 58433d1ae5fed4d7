// The workspace of a reader who is signed in to the workspace settings, and the prefix of one of their keys in the
// samples. Nothing else of a key is known here: the rest of the secret was shown once.
import { settingsPrefix } from '#contract/route-paths.ts'
import type { ApiKey } from '#contract/api-keys.ts'
import type { CurrentSession } from '#contract/account.ts'
import { isMarkedSignedIn, markSignedIn } from '../ui/signed-in-mark.ts'
import { element } from './element.ts'

type Workspace = CurrentSession['workspaces'][number]
type Key = Pick<ApiKey, 'id' | 'name' | 'prefix' | 'workspaceId' | 'status'>

const storageName = { workspace: 'docs-workspace', key: 'docs-key' } as const
const keyPlaceholder = 'wsk_…'

export async function addReaderBar(): Promise<void> {
  const place = document.querySelector<HTMLElement>('.reader')
  if (place === null || !isMarkedSignedIn()) return
  const session = await read<CurrentSession>('/sessions/current')
  if (session === null) return markSignedIn(false)
  const { workspaces } = session
  const chosen = workspaces.find(({ workspaceId }) => workspaceId === localStorage.getItem(storageName.workspace))
  const first = chosen ?? workspaces[0]
  if (first !== undefined) await showWorkspace(place, workspaces, first)
}

async function showWorkspace(place: HTMLElement, all: readonly Workspace[], workspace: Workspace): Promise<void> {
  const { workspaceId } = workspace
  const keys = (await read<{ data: Key[] }>(`/workspaces/${workspaceId}/api-keys?limit=200`))?.data ?? []
  const usable = keys.filter(({ status }) => status === 'active' || status === 'rotation_due')
  const workspaceField = choice(
    'Workspace',
    all.map((each) => [each.workspaceId, each.name]),
    workspaceId,
    (id) => {
      localStorage.setItem(storageName.workspace, id)
      const next = all.find((each) => each.workspaceId === id)
      if (next !== undefined) void showWorkspace(place, all, next)
    },
  )
  const about = element('span', { class: 'about-key' })
  const show = (id: string): void => {
    const key = usable.find((each) => each.id === id)
    fillIn(key === undefined ? keyPlaceholder : `${key.prefix}…`)
    const isUnbound = key !== undefined && key.workspaceId === null
    about.replaceChildren(isUnbound ? `This key also needs the header x-workspace-id: ${workspaceId}` : '')
  }
  const keyField = choice(
    'Key',
    [['', 'none'], ...usable.map(({ id, name, prefix }) => [id, `${name} (${prefix}…)`] as const)],
    localStorage.getItem(storageName.key) ?? '',
    (id) => {
      localStorage.setItem(storageName.key, id)
      show(id)
    },
  )
  place.replaceChildren(
    workspaceField,
    element('span', {}, 'id ', element('code', {}, workspaceId)),
    ...(usable.length === 0 ? [] : [keyField]),
    about,
  )
  show(localStorage.getItem(storageName.key) ?? '')
}

function choice(
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: string,
  onChoose: (value: string) => void,
): HTMLElement {
  const select = element('select', {}, ...options.map(([value, text]) => element('option', { value }, text)))
  select.value = options.some(([value]) => value === chosen) ? chosen : (options[0]?.[0] ?? '')
  select.addEventListener('change', () => onChoose(select.value))
  return element('label', {}, `${label} `, select)
}

let shown = keyPlaceholder

/** In all blocks of code; the next one takes the place of this. */
function fillIn(key: string): void {
  for (const code of document.querySelectorAll('pre code')) {
    const text = code.textContent ?? ''
    if (text.includes(shown)) code.textContent = text.replaceAll(shown, key)
  }
  shown = key
}

/** Null where there is no session, or nothing can be had. */
async function read<T>(path: string): Promise<T | null> {
  try {
    const response = await fetch(settingsPrefix + path, { headers: { accept: 'application/json' } })
    return response.ok ? ((await response.json()) as T) : null
  } catch {
    return null
  }
}
