// Comments on projects, tasks and CRM entities: events and operations, each by its full name.
import { commentOperations } from './comment-operations.ts'
import { Comment } from './comment-schema.ts'
import { event } from './event-declaration.ts'
import { ProjectRef, TaskRef } from './references.ts'
import { Id } from './shared-fields.ts'

const about = '`resource` is what the comment is on, `data` the comment.'
export const taskCommentCreated = event('tasks.comment_created', Comment, `A comment on a task was written. ${about}`)
export const taskCommentUpdated = event('tasks.comment_updated', Comment, `A comment on a task was changed. ${about}`)
export const taskCommentDeleted = event('tasks.comment_deleted', Comment, `A comment on a task was deleted. ${about}`)
export const projectCommentCreated = event(
  'projects.comment_created',
  Comment,
  `A comment on a project was written. ${about}`,
)
export const projectCommentUpdated = event(
  'projects.comment_updated',
  Comment,
  `A comment on a project was changed. ${about}`,
)
export const projectCommentDeleted = event(
  'projects.comment_deleted',
  Comment,
  `A comment on a project was deleted. ${about}`,
)
export const crmEntityCommentCreated = event(
  'crm-entities.comment_created',
  Comment,
  `A comment on a CRM entity was written. ${about}`,
)
export const crmEntityCommentUpdated = event(
  'crm-entities.comment_updated',
  Comment,
  `A comment on a CRM entity was changed. ${about}`,
)
export const crmEntityCommentDeleted = event(
  'crm-entities.comment_deleted',
  Comment,
  `A comment on a CRM entity was deleted. ${about}`,
)

export const {
  'tasks.list-comments': listTaskComments,
  'tasks.get-comment': getTaskComment,
  'tasks.create-comment': createTaskComment,
  'tasks.update-comment': updateTaskComment,
  'tasks.delete-comment': deleteTaskComment,
} = commentOperations({
  segment: 'tasks',
  singular: 'task',
  reference: TaskRef,
  events: { created: taskCommentCreated, updated: taskCommentUpdated, deleted: taskCommentDeleted },
})

export const {
  'projects.list-comments': listProjectComments,
  'projects.get-comment': getProjectComment,
  'projects.create-comment': createProjectComment,
  'projects.update-comment': updateProjectComment,
  'projects.delete-comment': deleteProjectComment,
} = commentOperations({
  segment: 'projects',
  singular: 'project',
  reference: ProjectRef,
  events: { created: projectCommentCreated, updated: projectCommentUpdated, deleted: projectCommentDeleted },
})

export const {
  'crm-entities.list-comments': listCrmEntityComments,
  'crm-entities.get-comment': getCrmEntityComment,
  'crm-entities.create-comment': createCrmEntityComment,
  'crm-entities.update-comment': updateCrmEntityComment,
  'crm-entities.delete-comment': deleteCrmEntityComment,
} = commentOperations({
  segment: 'crm-entities',
  singular: 'CRM entity',
  reference: Id,
  events: { created: crmEntityCommentCreated, updated: crmEntityCommentUpdated, deleted: crmEntityCommentDeleted },
})
