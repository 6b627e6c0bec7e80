/** The resources of a service whose operator names none. */

import type { Text } from '../model/language.ts'
import type { Resource } from '../model/resource.ts'

const builtIn = (name: string, title: Text, read: Text, write: Text): Resource => ({
  name,
  title,
  read,
  write,
  actions: {},
  destructive: [],
  uri: null,
  accessTokenFormat: 'opaque',
  introspectionClients: [],
})

export const defaultResources: readonly Resource[] = [
  builtIn(
    'photos',
    { en: 'Photos', zh: '照片' },
    { en: 'See your photos', zh: '查看您的照片' },
    { en: 'Add, change and delete your photos', zh: '添加、修改和删除您的照片' },
  ),
  builtIn(
    'contacts',
    { en: 'Contacts', zh: '联系人' },
    { en: 'See the people you know', zh: '查看您的联系人' },
    { en: 'Add, change and delete contacts', zh: '添加、修改和删除联系人' },
  ),
  builtIn(
    'calendar',
    { en: 'Calendar', zh: '日历' },
    { en: 'See your appointments', zh: '查看您的日程' },
    { en: 'Add, change and delete appointments', zh: '添加、修改和删除日程' },
  ),
]
