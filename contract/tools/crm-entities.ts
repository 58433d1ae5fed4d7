// The tools of CRM entities.
import { createCrmEntity, getCrmEntity, listCrmEntities, updateCrmEntity } from '../crm-entities.ts'
import { collectionTools, type CollectionTools } from './collection-tools.ts'

export const crmEntityCollection: CollectionTools = {
  segment: 'crm-entities',
  operations: { list: listCrmEntities, get: getCrmEntity, create: createCrmEntity, update: updateCrmEntity },
  filters: ['kind', 'stage', 'ownerId', 'companyId', 'domain', 'email'],
  descriptions: {
    q: 'Words of the name',
    ownerId: 'Member, or `me`',
    companyId: 'Of a contact, deal',
    name: 'Of a company, deal',
    domains: 'Company: example.com',
    website: 'Company: URL',
    industry: 'Company',
    employeeCount: 'Company',
    parentCompanyId: 'Company',
    firstName: 'Contact',
    lastName: 'Contact',
    emails: 'Contact',
    jobTitle: 'Contact',
    stage: 'Deal',
    probability: 'Deal: percent; follows the stage',
    expectedCloseDate: 'Deal: YYYY-MM-DD',
    lostReason: 'Lost deal',
    contactIds: 'Deal',
    description: 'Markdown',
    customFields: 'Values by key',
  },
  expansions: {
    owner: 'members:read',
    company: 'crm-entities:read',
    parentCompany: 'crm-entities:read',
    contacts: 'crm-entities:read',
  },
  texts: {
    list: {
      title: 'List CRM entities',
      description:
        'Companies, contacts and deals: say which by `kind`. Any value of a filter may fit; with `!` before it, it must not. Rows have id, name, and what the kind has of stage, amount, emails, domains and companyId. By part of a name: search.query; deals by stage as numbers: objects.count. Example, open deals of mine: {"kind":["deal"],"stage":["!won","!lost"],"ownerId":["me"]}',
    },
    get: {
      title: 'Get a CRM entity',
      description:
        'One company, contact or deal with all that is known of it. Its tasks: tasks.list with `crmEntityId`; its notes: comments.list; its contacts and deals: crm-entities.list with `companyId`. Example: {"id":"0199a7c2-5f00-7000-8000-000000000001","expand":["owner","company"]}',
    },
    create: {
      title: 'Create a CRM entity',
      description:
        'Makes a company, contact or deal. `kind` decides which fields it takes: another kind’s are refused. Emails and domains are unique, so look for them first with crm-entities.list. Example: {"kind":"deal","name":"ACME 2027","stage":"proposal","amount":{"amount":"12000.00","currency":"EUR"},"companyId":"0199a7c2-5f00-7000-8000-000000000001"}',
    },
    update: {
      title: 'Change a CRM entity',
      description:
        'Moves a deal to another stage or corrects what is known: only given fields change, null removes a value, lists come whole. The kind stays. A note about it: comments.create. Example: {"id":"0199a7c2-5f00-7000-8000-000000000001","stage":"won","expectedVersion":7}',
    },
  },
}

export const crmEntityTools = collectionTools(crmEntityCollection)
