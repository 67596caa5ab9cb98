// The pages of those who are not logged in, loaded together: people go from one to the other.
export { LoginPage } from './LoginPage.tsx';
export { RegisterPage } from './RegisterPage.tsx';
export { ResetPage } from './ResetPage.tsx';
