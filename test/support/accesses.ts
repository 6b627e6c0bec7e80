/** The applications of an owner: the list, and the page of each access with its form. */
import { type Browser, type FoundForm, formsOf, type Page } from './browser.ts'

/** The paths of the pages of applications, in the order of a list. */
export const accessPathsOn = ({ text }: Pick<Page, 'text'>): readonly string[] =>
  [...text.matchAll(/href="(\/account\/access\/\w{26}(?:\?[^"]*)?)"/g)].map(([, path = '']) => path)

/** The form of each access on a page, or on several that are joined. */
export const accessFormsOn = ({ text }: Pick<Page, 'text'>): readonly FoundForm[] =>
  formsOf(text).filter(({ fields }) => 'shown' in fields)

/** The page of an application that an owner opens from the list; the first one by default. */
export const openAccess = async (browser: Browser, place = 0): Promise<Page> => {
  const path = accessPathsOn(await browser.go('/account'))[place]
  if (path === undefined) throw new Error('there is no such application in the list')
  return browser.go(path)
}

/** All that an owner reads of applications: the list, then the page of each, as one text. */
export const readAccount = async (browser: Browser): Promise<Page> => {
  const list = await browser.go('/account')
  const texts = [list.text]
  for (const path of accessPathsOn(list)) texts.push((await browser.go(path)).text)
  return { ...list, text: texts.join('\n') }
}
