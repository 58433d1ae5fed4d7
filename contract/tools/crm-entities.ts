// The tools of CRM entities.
import { createCrmEntity, getCrmEntity, listCrmEntities, updateCrmEntity } from '../crm-entities.ts'
import { collectionTools, type CollectionTools } from './collection-tools.ts'

export const crmEntityCollection: CollectionTools = {
  segment: 'crm-entities',
  operations: { list: listCrmEntities, get: getCrmEntity, create: createCrmEntity, update: updateCrmEntity },
  filters: ['kind', 'stage', 'ownerId', 'companyId', 'contactId', 'domain', 'email', 'phone'],
  descriptions: {
    q: 'Words of the name',
    ownerId: 'Member, or `me`',
    companyId: 'Of a contact, deal; or domain:acme.com',
    name: 'Of a company, deal',
    domains: 'Company: example.com',
    website: 'Company: URL',
    industry: 'Company',
    employeeCount: 'Company',
    parentCompanyId: 'Company',
    firstName: 'Contact',
    lastName: 'Contact',
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
        'Lists companies, contacts and deals; choose with `kind`. A filter matches any of its values; `!` before a value excludes it; `none` is an empty field, `any` one that is not. Rows have id and name and, depending on the kind, stage, amount, emails, domains and companyId. To find one by part of its name, use search.query; to count deals by stage, objects.count. Example, my open deals: {"kind":["deal"],"stage":["!won","!lost"],"ownerId":["me"]}',
    },
    get: {
      title: 'Get a CRM entity',
      description:
        'Returns one company, contact or deal with all its fields. For its tasks, use tasks.list with `crmEntityId`; for its notes, comments.list; for its contacts and deals, crm-entities.list with `companyId`. Example: {"id":"0199a7c2-5f00-7000-8000-000000000001","expand":["owner","company"]}',
    },
    create: {
      title: 'Create a CRM entity',
      description:
        'Creates a company, contact or deal. `kind` decides which fields are allowed; fields of another kind are rejected. Emails and domains are unique: look for them first with crm-entities.list. Example: {"kind":"deal","name":"ACME 2027","stage":"proposal","amount":{"amount":"12000.00","currency":"EUR"},"companyId":"0199a7c2-5f00-7000-8000-000000000001"}',
    },
    update: {
      title: 'Update a CRM entity',
      description:
        'Updates a company, contact or deal, such as the stage of a deal. Other fields keep their values; null clears a field, a list replaces the whole list, and {"add":[…],"remove":[…]} a part of it. `kind` cannot change. To add a note, use comments.create. Example: {"id":"0199a7c2-5f00-7000-8000-000000000001","stage":"won","expectedVersion":7}',
    },
  },
}

export const crmEntityTools = collectionTools(crmEntityCollection)
