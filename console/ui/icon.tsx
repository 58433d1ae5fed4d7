// The icons, as lines in a square of 16. They say nothing that the text beside them does not say, so readers skip them.
import type { ReactNode } from 'react'
import css from './icon.module.css'

const paths = {
  account: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14c0-2.8 2.3-4.5 5.5-4.5s5.5 1.7 5.5 4.5',
  activity: 'M1.5 8h3l2-5 3 10 2-5h3',
  book: 'M3 2.5h8.5A1.5 1.5 0 0 1 13 4v9.5H4.5A1.5 1.5 0 0 1 3 12V2.5zM3 12a1.5 1.5 0 0 1 1.5-1.5H13',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  chevron: 'M4.5 6.5L8 10l3.5-3.5',
  chevrons: 'M5 6l3-3 3 3M5 10l3 3 3-3',
  close: 'M4 4l8 8M12 4l-8 8',
  code: 'M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  download: 'M8 2.5v8M4.8 7.5L8 10.7l3.2-3.2M3 13.5h10',
  events: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  home: 'M2.5 7.2L8 2.8l5.5 4.4v6.3h-4V9.5h-3v4h-4z',
  info: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM8 7.3v3.8M8 4.9v.1',
  key: 'M9.8 9.2a3.3 3.3 0 1 0-2.9-2.9L2 11.2V14h2.8v-2h2v-2zM11 5v.1',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  log: 'M3 2h10v12H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3',
  members:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12 9.9c1.5.6 2.5 1.9 2.5 3.6',
  minus: 'M4 8h8',
  moon: 'M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7z',
  play: 'M4.5 2.5L13 8l-8.5 5.5z',
  plus: 'M8 3v10M3 8h10',
  policy: 'M8 1.8l5.5 2v4c0 3.2-2.3 5.4-5.5 6.4-3.2-1-5.5-3.2-5.5-6.4v-4zM5.8 7.9l1.6 1.6 2.9-3',
  rotate: 'M13.2 6.5A5.5 5.5 0 0 0 3.5 5M2.8 9.5A5.5 5.5 0 0 0 12.5 11M3.5 2v3h3M12.5 14v-3h-3',
  requests: 'M2 5.5h11M10 2.5l3 3-3 3M14 10.5H3M6 7.5l-3 3 3 3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6L14 14',
  send: 'M14 2L7 9M14 2L9.5 14 7 9 2 6.5z',
  signOut: 'M6 13.5H3v-11h3M10 11l3-3-3-3M13 8H6',
  system: 'M2 3h12v8H2zM5.5 13.5h5',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9',
  warning: 'M8 2.2L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1',
  webhook: 'M6.2 6.8a2.7 2.7 0 1 1 3.6 0l2 3.6M9.8 6.8M4.7 9.2a2.7 2.7 0 1 0 2.4 3.3h4.2M11.4 10.4a2.7 2.7 0 1 1-1 4',
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name }: { readonly name: IconName }): ReactNode => (
  <svg className={css.icon} viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
