// What console/build/contract-modules.ts makes of the contract.
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

declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}

declare module '*.css' {}
