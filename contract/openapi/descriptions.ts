// The descriptions of fields and components whose schema has none, by their names.
import { components } from './component-descriptions.ts'
import { eventFields } from './event-field-descriptions.ts'
import { commonFields, idFields, peopleFields, workFields } from './field-descriptions.ts'
import { settingsFields } from './settings-field-descriptions.ts'

const descriptions: Readonly<Record<string, string>> = {
  ...{ ...commonFields, ...idFields, ...peopleFields, ...workFields, ...eventFields, ...settingsFields, ...components },
}

/** Undefined when neither a field nor a component of this name is described. */
export const descriptionOf = (name: string): string | undefined => descriptions[name]
