// A button at each block of code that copies its text.
import { element } from './element.ts'

const saidMs = 2_000

export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre')) {
    const frame = element('div', { class: 'code' })
    block.replaceWith(frame)
    frame.append(block, copyButton(block))
  }
}

function copyButton(block: HTMLElement): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.textContent ?? '').then(
      () => say(button, 'Copied'),
      () => say(button, 'Not copied'),
    )
  })
  return button
}

function say(button: HTMLButtonElement, words: string): void {
  button.textContent = words
  setTimeout(() => {
    button.textContent = 'Copy'
  }, saidMs)
}
