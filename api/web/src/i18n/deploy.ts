// The group of words of arranging.
import { group } from './index.ts';
import type { DeployWords } from './zh-Hans.deploy.ts';

/** `words` of arranging, and `speak`, which loads them. */
export const deploy = group<DeployWords>({
  'zh-Hans': () => import('./zh-Hans.deploy.ts'),
  'zh-Hant': () => import('./zh-Hant.deploy.ts'),
  en: () => import('./en.deploy.ts'),
});
