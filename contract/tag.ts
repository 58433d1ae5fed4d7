// The first word of an operation's name, with what it is about: the API's description groups operations by it. Each
// resource declares its own beside its operations.
export type Tag = { readonly tag: string; readonly about: string }

export const tag = (name: string, about: string): Tag => ({ tag: name, about })

/** The tag of an operation or of an event, by its full name. */
export const tagOf = (operationName: string): string => operationName.split('.')[0] ?? operationName
