// One scenario's result as a Markdown page: what was measured, on what machine, a table for each part.
import type { Facts } from './environment.ts'

export type Section = {
  readonly title: string
  readonly about: string
  readonly table: string
  readonly goals?: readonly string[]
}

export function page(name: string, about: string, facts: Facts, sections: readonly Section[]): string {
  const measuredOn = Object.entries(facts).map(([fact, value]) => `| ${fact} | ${value} |`)
  const parts = sections.map(({ title, about: text, table, goals = [] }) =>
    [`## ${title}`, text, table, ...goals].join('\n\n').concat('\n'),
  )
  return [`# ${name}`, '', about, '', '| | |', '| --- | --- |', ...measuredOn, '', ...parts].join('\n')
}
