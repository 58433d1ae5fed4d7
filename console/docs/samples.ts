// The same call in several languages, shown one at a time. The language that a reader chooses is shown on every page.
import { element } from './element.ts'

const storageName = 'sample-language'
const firstLanguage = 'sh'

type Tab = { readonly language: string; readonly button: HTMLButtonElement; readonly panel: HTMLElement }

export function joinSamples(): void {
  const groups = Array.from(document.querySelectorAll<HTMLElement>('.samples'), joinGroup)
  const show = (language: string): void => {
    for (const tabs of groups) select(tabs, language)
  }
  for (const tab of groups.flat())
    tab.button.addEventListener('click', () => {
      localStorage.setItem(storageName, tab.language)
      // What was clicked stays where it is on the screen, although groups above it change their heights.
      const before = tab.button.getBoundingClientRect().top
      show(tab.language)
      scrollBy(0, tab.button.getBoundingClientRect().top - before)
    })
  show(localStorage.getItem(storageName) ?? firstLanguage)
}

function joinGroup(group: HTMLElement): readonly Tab[] {
  const list = element('div', { role: 'tablist', 'aria-label': 'Language' })
  const tabs = Array.from(group.querySelectorAll<HTMLElement>('.sample'), (panel) => {
    const label = panel.querySelector('.language')
    const id = `${panel.id}-tab`
    const button = element(
      'button',
      { type: 'button', role: 'tab', id, 'aria-controls': panel.id },
      label?.textContent ?? '',
    )
    label?.remove()
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', id)
    list.append(button)
    return { language: panel.dataset['language'] ?? '', button, panel }
  })
  list.addEventListener('keydown', (event) => moveFocus(event, tabs))
  group.prepend(list)
  return tabs
}

function select(tabs: readonly Tab[], language: string): void {
  const chosen = tabs.find((tab) => tab.language === language) ?? tabs[0]
  for (const tab of tabs) {
    const isChosen = tab === chosen
    tab.button.setAttribute('aria-selected', String(isChosen))
    tab.button.tabIndex = isChosen ? 0 : -1
    tab.panel.hidden = !isChosen
  }
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

function moveFocus(event: KeyboardEvent, tabs: readonly Tab[]): void {
  const at = tabs.findIndex(({ button }) => button === event.target)
  const next = tabs[steps[event.key]?.(at, tabs.length) ?? -1]
  if (at === -1 || next === undefined) return
  event.preventDefault()
  next.button.click()
  next.button.focus()
}
