/** The files in which functions are written, as V8 knows them. */
import { type Runtime, Session } from 'node:inspector'

/** These wrap the handlers of pages: the first function in their closure is the handler. */
const frames = ['src/rooms/pages.ts', 'src/rooms/console/visit.ts', 'src/rooms/login/entrance.ts']

const name = 'functionsToFind'

/**
 * @param functions of `src`
 * @returns the file of each, such as `src/rooms/oauth/token.ts`; null where V8 does not say
 */
export const findFilesOf = (functions: readonly unknown[]): readonly (string | null)[] => {
  const session = new Session()
  session.connect()
  const urls = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
  /** Commands to the own thread answer at once. */
  const listProperties = (objectId = ''): Runtime.GetPropertiesReturnType => {
    let found: Runtime.GetPropertiesReturnType = { result: [] }
    session.post('Runtime.getProperties', { objectId, ownProperties: true }, (_, answer) => {
      found = answer
    })
    return found
  }
  const find = (objectId: string | undefined): string | null => {
    const { internalProperties = [] } = listProperties(objectId)
    const getInternal = (property: string) =>
      internalProperties.find((one) => one.name === property)?.value
    const url = urls.get(getInternal('[[FunctionLocation]]')?.value?.scriptId) ?? ''
    const file = /\/(src\/.*)$/.exec(url)?.[1] ?? null
    if (file === null || !frames.includes(file)) return file
    const [closure] = listProperties(getInternal('[[Scopes]]')?.objectId).result
    const wrapped = listProperties(closure?.value?.objectId).result
    return find(wrapped.find(({ value }) => value?.type === 'function')?.value?.objectId)
  }
  try {
    session.post('Debugger.enable')
    Reflect.set(globalThis, name, functions)
    let list: string | undefined
    session.post('Runtime.evaluate', { expression: name }, (_, { result }) => {
      list = result.objectId
    })
    const places = listProperties(list).result.filter((one) => /^\d+$/.test(one.name))
    return places.map(({ value }) => find(value?.objectId))
  } finally {
    Reflect.deleteProperty(globalThis, name)
    session.disconnect()
  }
}
