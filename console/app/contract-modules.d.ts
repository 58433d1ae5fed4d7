// The types of the modules that console/build/contract-modules.ts makes of the contract.
declare module 'virtual:routes' {
  import type { OperationName } from '#contract/api.ts'
  /** Method and path template, for the operations that the console may call. */
  export const routes: Readonly<Partial<Record<OperationName, `${string} /${string}`>>>
}

declare module 'virtual:audited-actions' {
  export const auditedActions: readonly string[]
}

declare module 'virtual:input/*' {
  import type { SchemaNode } from '#contract/json-schema.ts'
  export const input: SchemaNode
}

declare module 'virtual:streams' {
  import type { StreamName } from '#contract/api.ts'
  export const streams: Readonly<Partial<Record<StreamName, { readonly path: string; readonly message: string }>>>
}

declare module 'virtual:event-kinds' {
  import type { EventRecord } from '#contract/event.ts'
  import type { Scope } from '#contract/scopes.ts'
  type EventKind = {
    readonly type: string
    readonly summary: string
    /** The scope that reading it needs. */
    readonly scope: Scope
    readonly example: EventRecord
  }
  export const eventKinds: readonly EventKind[]
}

declare module 'virtual:event-patterns' {
  /** `tasks.*`, `tasks.created`, … */
  export const eventPatterns: readonly string[]
}

declare module 'virtual:days' {
  export const days: { readonly invitationDays: number }
}

declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}

declare module '*.css' {}
