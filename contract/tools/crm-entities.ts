// The tools of crm entities.
import { createCrmEntity, getCrmEntity, listCrmEntities, updateCrmEntity } from '../crm-entities.ts'
import { collectionTools } from './collection-tools.ts'

export const crmEntityTools = collectionTools({
  segment: 'crm-entities',
  operations: { list: listCrmEntities, get: getCrmEntity, create: createCrmEntity, update: updateCrmEntity },
  filters: ['kind', 'stage', 'ownerId', 'companyId'],
  descriptions: {},
  expansions: {
    owner: 'members:read',
    company: 'crm-entities:read',
    parentCompany: 'crm-entities:read',
    contacts: 'crm-entities:read',
  },
  texts: {
    list: { title: 'List crm entities', description: 'crm entities by filter.' },
    get: { title: 'Get a CRM entity', description: 'One CRM entity.' },
    create: { title: 'Create a CRM entity', description: 'Makes a CRM entity.' },
    update: { title: 'Change a CRM entity', description: 'Changes a CRM entity.' },
  },
})
