/** The start of a service on its store: a demo is seeded, and any other service refuses a former demo. */
import type { Registrable } from '../clients/grant-types.ts'
import type { Tell } from '../model/notice.ts'
import { checkDemoRemains, markDemo } from './remains.ts'
import { type Seeded, seedDemo } from './seed.ts'

/** @throws DemoRemains */
export const beginDemo = async (
  parts: Seeded & { readonly tell: Tell },
  registries: Registrable,
): Promise<void> => {
  const { settings, store, passwords, tell } = parts
  if (settings.demo) {
    await seedDemo(parts, registries)
    await markDemo(store, settings.issuer, passwords)
  } else if (await checkDemoRemains(store, settings.issuer, passwords)) {
    tell({ level: 'warn', message: 'this database holds the demo, whose secrets everyone knows' })
  }
}
