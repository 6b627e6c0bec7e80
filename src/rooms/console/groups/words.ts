/** Words of the pages about groups. */
import { defineWords } from '../../../paper/catalog.ts'

export const consoleGroupsWords = defineWords('console-groups', {
  heading: 'Groups',
  about:
    'Applications may be for some groups only, and may be told the groups of the people who use them.',
  none: 'There are no groups.',
  search: 'Search',
  prefix: 'Name',
  name: 'Name',
  members: 'Members',
  id: 'ID',
  since: 'Made',
  by: 'Put in by',
  operator: 'operator',
  nobody: 'Nobody is in it.',
  more: 'Further members',
  add: 'Add',
  addHeading: 'Put somebody in',
  username: 'Username',
  out: 'Take out',
  create: 'Make a group',
  createNow: 'Make it',
  rename: 'Rename',
  renameHeading: 'Another name',
  renameHint: 'Applications that name the group follow.',
  remove: 'Delete',
  removeEffect: 'Nobody is in it any more, and no application lets anybody in by it.',
  removeNow: 'Delete now',
  done: {
    created: 'The group was made.',
    renamed: 'The group was renamed.',
    removed: 'The group was deleted.',
    added: 'The user was put in.',
    taken: 'The user was taken out.',
    gone: 'This group is gone.',
  },
})
