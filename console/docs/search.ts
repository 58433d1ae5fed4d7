// The search over all pages. The index comes with the first letter; the search itself is done here, without a server.
import type MiniSearch from 'minisearch'
import { element } from './element.ts'

/** A section of a page: `id` is its address. */
type Section = { readonly id: string; readonly page: string; readonly title: string; readonly text: string }
type Index = MiniSearch<Section>

const resultsMax = 10
const excerptLength = 140

export function addSearch(): void {
  const place = document.querySelector<HTMLElement>('.search')
  const address = place?.dataset['index']
  if (place === null || address === undefined) return
  const input = element('input', {
    type: 'search',
    placeholder: 'Search',
    'aria-label': 'Search the documentation',
    'aria-controls': 'found',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const status = element('p', { role: 'status', class: 'for-readers' })
  const list = element('ul', { id: 'found', class: 'found', 'aria-label': 'Results' })
  list.hidden = true
  place.append(input, status, list)

  let index: Promise<Index> | undefined
  const search = async (): Promise<void> => {
    const words = input.value.trim()
    if (words === '') return close()
    try {
      const found = (await (index ??= loadIndex(address))).search(words).slice(0, resultsMax)
      // Another letter has come meanwhile.
      if (input.value.trim() !== words) return
      list.replaceChildren(...found.map((each) => item(each as unknown as Section, words)))
      list.hidden = found.length === 0
      status.textContent =
        found.length === 0 ? 'No results' : found.length === 1 ? '1 result' : `${found.length} results`
    } catch {
      index = undefined
      status.textContent = 'Search is not available. Reload the page to try again.'
    }
  }
  const close = (): void => {
    list.hidden = true
    list.replaceChildren()
    status.textContent = ''
  }
  input.addEventListener('input', () => void search())
  input.addEventListener('focus', () => void search())
  place.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      input.focus()
      close()
    } else if (event.key === 'Enter' && event.target === input) list.querySelector('a')?.click()
    else moveFocus(event, [input, ...list.querySelectorAll('a')])
  })
  place.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && place.contains(relatedTarget))) close()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || isTyping(event.target)) return
    event.preventDefault()
    input.focus()
  })
}

async function loadIndex(address: string): Promise<Index> {
  const [{ default: MiniSearch }, response] = await Promise.all([import('minisearch'), fetch(address)])
  if (!response.ok) throw new Error(`The search index could not be loaded (status ${response.status}).`)
  const index = new MiniSearch<Section>({
    fields: ['title', 'page', 'text'],
    storeFields: ['page', 'title', 'text'],
    searchOptions: {
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      boost: { title: 4, page: 2 },
    },
  })
  index.addAll((await response.json()) as Section[])
  return index
}

function item({ id, page, title, text }: Section, words: string): HTMLElement {
  const place = title === page ? [] : [element('span', { class: 'found-page' }, page)]
  const link = element(
    'a',
    { href: id },
    element('strong', {}, title),
    ...place,
    element('span', {}, excerpt(text, words)),
  )
  return element('li', {}, link)
}

/** The part of the text in which the first of the words stands. */
function excerpt(text: string, words: string): string {
  const lower = text.toLowerCase()
  const places = words
    .toLowerCase()
    .split(/\s+/)
    .map((word) => lower.indexOf(word))
  const at = Math.max(0, Math.min(...places.filter((place) => place >= 0), text.length) - excerptLength / 4)
  const start = at === text.length - excerptLength / 4 ? 0 : Math.floor(at)
  const part = text.slice(start, start + excerptLength)
  return `${start > 0 ? '…' : ''}${part}${start + excerptLength < text.length ? '…' : ''}`
}

function moveFocus(event: KeyboardEvent, stops: readonly HTMLElement[]): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const at = stops.findIndex((stop) => stop === document.activeElement)
  if (step === undefined || at === -1) return
  event.preventDefault()
  stops[(at + step + stops.length) % stops.length]?.focus()
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName))
