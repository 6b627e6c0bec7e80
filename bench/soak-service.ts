/** Latchkey on a clock that runs faster, so that what lives for an hour is gone after a minute. */
import { loadSettings } from '../src/config/load.ts'
import { startService } from '../src/server.ts'

const speed = Number(process.argv[2])
const began = Date.now()
const clock = (): number => Math.floor(began + (Date.now() - began) * speed)

const { issuer, close } = await startService({ settings: loadSettings({ flags: {} }), clock })
process.stdout.write(`listening on ${issuer}\n`)
process.on('SIGTERM', async () => {
  await close()
  process.exit(0)
})
