// The operations on comments bound to their functions, which are the same for each kind of subject.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { get, list } from './read.ts'
import { ofCrmEntities, ofProjects, ofTasks } from './commented-object.ts'
import { create, remove, update } from './write.ts'

type CommentDeps = { readonly pager: Pager }

export const commentHandlers = ({ pager }: CommentDeps) =>
  ({
    'tasks.list-comments': list(ofTasks, pager),
    'tasks.get-comment': get(ofTasks),
    'tasks.create-comment': create(ofTasks),
    'tasks.update-comment': update(ofTasks),
    'tasks.delete-comment': remove(ofTasks),
    'projects.list-comments': list(ofProjects, pager),
    'projects.get-comment': get(ofProjects),
    'projects.create-comment': create(ofProjects),
    'projects.update-comment': update(ofProjects),
    'projects.delete-comment': remove(ofProjects),
    'crm-entities.list-comments': list(ofCrmEntities, pager),
    'crm-entities.get-comment': get(ofCrmEntities),
    'crm-entities.create-comment': create(ofCrmEntities),
    'crm-entities.update-comment': update(ofCrmEntities),
    'crm-entities.delete-comment': remove(ofCrmEntities),
  }) satisfies Partial<Handlers>
