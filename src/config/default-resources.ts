/** The resources of a service whose operator names none. */

import type { Text } from '../model/language.ts'
import type { Resource } from '../model/resource.ts'

const builtIn = (name: string, title: Text, read: Text, write: Text): Resource => ({
  name,
  title,
  read,
  write,
  actions: {},
  // Writing includes deleting.
  destructive: ['write'],
  uri: null,
  accessTokenFormat: 'opaque',
  introspectionClients: [],
})

export const defaultResources: readonly Resource[] = [
  builtIn(
    'photos',
    { en: 'Photos', de: 'Fotos', zh: '照片' },
    { en: 'See your photos', de: 'Ihre Fotos ansehen', zh: '查看您的照片' },
    {
      en: 'Add, change and delete your photos',
      de: 'Ihre Fotos hinzufügen, ändern und löschen',
      zh: '添加、修改和删除您的照片',
    },
  ),
  builtIn(
    'contacts',
    { en: 'Contacts', de: 'Kontakte', zh: '联系人' },
    { en: 'See the people you know', de: 'Ihre Kontakte ansehen', zh: '查看您的联系人' },
    {
      en: 'Add, change and delete contacts',
      de: 'Kontakte hinzufügen, ändern und löschen',
      zh: '添加、修改和删除联系人',
    },
  ),
  builtIn(
    'calendar',
    { en: 'Calendar', de: 'Kalender', zh: '日历' },
    { en: 'See your appointments', de: 'Ihre Termine ansehen', zh: '查看您的日程' },
    {
      en: 'Add, change and delete appointments',
      de: 'Termine hinzufügen, ändern und löschen',
      zh: '添加、修改和删除日程',
    },
  ),
]
