// The prompt for a brief on a company, before somebody talks to it.
import { openDealStages } from '#contract/crm-entities.ts'
import type { Fields } from './kinds.ts'
import { objectNamed } from './name-lookup.ts'
import { listed } from './object-page.ts'
import { dayOf, embedded, factLists, instructions, type Prompt } from './prompt.ts'
import { pageOf } from './read-object.ts'
import { uriOf } from './uri.ts'

export const accountBrief: Prompt = {
  name: 'account-brief',
  title: 'Account brief',
  description: 'What to know about a company before a call: people, open deals, work under way, what was said last.',
  arguments: [
    {
      name: 'company',
      title: 'Company',
      description: 'Name or id of a company.',
      ...{ required: true, lengthMax: 200, completes: 'companies' },
    },
  ],
  scopes: ['crm-entities:read'],
  changes: false,
  messages: async ({ company: text = '' }, exchange, now) => {
    const wanted = { segment: 'crm-entities', argument: 'company', text, filter: { kind: ['company'] } } as const
    const company = await objectNamed(wanted, exchange)
    const deals = {
      title: 'Open deals',
      segment: 'crm-entities',
      filter: {
        ...{ kind: ['deal'], companyId: [company.id], stage: openDealStages },
        fields: ['kind', 'name', 'stage', 'amount', 'expectedCloseDate', 'updatedAt'],
      },
      describe: dealText,
    } as const
    return [
      instructions([
        `Write a brief on the company that follows, for somebody who talks to it today, ${dayOf(now)} (UTC).`,
        'Who they are; the people to know; open deals with stage, amount and expected close; work under way; what was said last; what to ask.',
        'At most one page. Say what is old or missing, and invent nothing.',
      ]),
      embedded(uriOf('crm-entities', company), await pageOf('crm-entities', company.id, exchange)),
      await factLists([deals], exchange),
    ]
  },
}

function dealText(deal: Fields): string {
  const { amount, expectedCloseDate } = deal as Fields & {
    readonly amount?: { readonly amount: string; readonly currency: string } | null
    readonly expectedCloseDate?: string | null
  }
  const worth = amount ? `, ${amount.amount} ${amount.currency}` : ''
  return `${listed('crm-entities', deal)}${worth}${expectedCloseDate ? `, closes ${expectedCloseDate}` : ''}`
}
