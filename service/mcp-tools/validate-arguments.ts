// The arguments of a call, validated against the input that its tool lists. An unknown one is refused by name. What is
// wrong in an item of a batch is for the batch to say: it refuses that item alone.
import type { Arguments, Tool } from '#contract/tools/tool.ts'
import { boundsCheck } from '../validation/input-bounds.ts'
import { checker, type Check } from '../validation/schema-validator.ts'
import { refusedFields } from '../validation/unknown-field.ts'
import { withOpenItems } from '../validation/validate-operation.ts'

// Compiled when they are first used.
const checks = new Map<Tool, readonly Check[]>()

/** Throws `unknown_field` or `validation_failed`. */
export function assertArguments(tool: Tool, args: Arguments): void {
  const input = tool.cost === 'items' ? withOpenItems(tool.input) : tool.input
  const compiled = checks.get(tool) ?? [boundsCheck(input), checker(input)]
  checks.set(tool, compiled)
  for (const check of compiled) {
    const errors = check(args)
    if (errors.length > 0) throw refusedFields(errors)
  }
}
