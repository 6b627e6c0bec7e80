/** The way in: the program itself comes after the code that was compiled before is found again. */
import { keepCompiled } from './config/compiled.ts'

keepCompiled()
const { runMain } = await import('./cli/main.ts')
await runMain()
