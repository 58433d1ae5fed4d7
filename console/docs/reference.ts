// The reference: Swagger UI in place of the lists of operations, which stay where it cannot start. It asks for nothing
// but the description of this installation, and its calls go to the address that the page was loaded from.
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import { tryPage } from '#contract/route-paths.ts'
import { storedTheme } from '../ui/stored-theme.ts'
import { element } from './element.ts'

/** The name of it in the description. */
const securityScheme = 'apiKey'

type Description = { readonly servers: readonly object[] }

const place = document.querySelector<HTMLElement>('#reference')
const address = place?.dataset['description']
if (place !== null && address !== undefined) {
  followTheme()
  void show(place, address)
}

async function show(place: HTMLElement, address: string): Promise<void> {
  const response = await fetch(address)
  if (!response.ok) return
  const description = (await response.json()) as Description
  const shown = document.createElement('div')
  const reference = SwaggerUI({
    domNode: shown,
    layout: 'Reference',
    plugins: [referenceLayout],
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    defaultModelsExpandDepth: -1,
    showExtensions: false,
    // Its colours are too faint, and its blocks scroll without a keyboard.
    syntaxHighlight: false,
    // It would send the description to another host.
    validatorUrl: null,
    queryConfigEnabled: false,
  })
  // Given as an option it would be written as text and read as YAML, which takes ten times as long.
  reference.specActions.updateJsonSpec({ ...description, servers: [{ url: location.origin }] })
  reference.specActions.updateLoadingStatus('success')
  place.replaceChildren(
    tryLink(),
    keyField((key) => reference.preauthorizeApiKey(securityScheme, key)),
    shown,
  )
  // It reads an address once; it changes addresses itself without this event.
  addEventListener('hashchange', () => location.reload())
}

/** The page of the console that does the same, with the fields of a form, code, and the log of requests. */
const tryLink = (): HTMLElement =>
  element('p', {}, element('a', { href: tryPage }, 'Try operations in the workspace settings'))

/** The dark colours of Swagger UI follow a class, ours the theme. */
function followTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const follow = (): void => {
    const theme = storedTheme()
    document.documentElement.classList.toggle('dark-mode', theme === 'dark' || (theme === 'system' && system.matches))
  }
  follow()
  system.addEventListener('change', follow)
}

/** The key stays in this page: a page that is loaded again has none. */
function keyField(use: (key: string) => void): HTMLElement {
  const input = element('input', { type: 'password', autocomplete: 'off', placeholder: 'wsk_…' })
  input.addEventListener('input', () => use(input.value.trim()))
  return element('label', { class: 'key-field' }, 'API key for trying operations ', input)
}

/**
 * Its own layout repeats what the page says above, in a second main part; its dialog for the key cannot be used by
 * readers of screens. Its links to operations stand within buttons,
 * which no reader of screens can tell apart: they are text here, and the button changes the address as well.
 */
const referenceLayout: Parameters<typeof SwaggerUI>[0]['plugins'][number] = ({ React }) => ({
  components: {
    Reference: ({ getComponent }) =>
      React.createElement(
        'div',
        { className: 'swagger-ui' },
        React.createElement('h2', { className: 'for-readers' }, 'Operations'),
        React.createElement(getComponent('FilterContainer', true)),
        React.createElement(getComponent('operations', true)),
      ),
    authorizeOperationBtn: () => null,
    DeepLink: ({ text }) => React.createElement('span', {}, text),
  },
})
