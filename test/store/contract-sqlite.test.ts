/** The SQLite store passes the store contract, with its memory and without. */
import { storeContract } from './contract.ts'
import { openForgetful, openInFolder } from './folder.ts'

storeContract('SQLite', () => openInFolder())
storeContract('SQLite, nothing remembered', () => openInFolder(openForgetful))
