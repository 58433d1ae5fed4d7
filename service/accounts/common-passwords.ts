// Words that make up the passwords which are tried first, in letters alone, as the password rule reads them. Collected from
// what published lists of leaked passwords have in common.
const words = `
password passwort passwords passphrase motdepasse contrasena wachtwoord admin administrator adminadmin root rootroot
superuser superadmin letmein letmeinnow letmeinplease welcome welcomehome welcometo changeme changemenow changethis
changepassword mypassword mypasswordis thisismypassword thepassword newpassword oldpassword temppassword temporary
defaultpassword default secret topsecret mysecret secretpassword verysecret supersecret trustno trustnoone trustnobody
iloveyou iloveyouso iloveyoubaby iloveyouforever iloveme ilovejesus loveyou lovelove loveme loverboy sunshine
sunshinegirl princess princesses football footballer baseball basketball volleyball softball hockey soccer superman
batman spiderman ironman wonderwoman starwars startrek pokemon pikachu minecraft fortnite dragonball dragon monkey
monkeys master masters mastermind shadow shadows michael michelle jennifer jessica ashley charlie thomas daniel jordan
jordanmichael matthew andrew joshua robert robertrobert nicole hannah amanda samantha elizabeth alexander alexandra
christian christopher anthony stephanie computer computers internet keyboard qwerty qwertyqwerty qwertyuiop
qwertyuiopasdf qwertz qwertzuiop azerty azertyuiop asdfgh asdfghjkl asdfasdf zxcvbn zxcvbnm qazwsx qazwsxedc abcdef
abcdefgh abcabc abcdabcd testtest test tester testing testpassword testaccount demo demodemo demopassword example
examplepassword guest guestguest login loginlogin signin access accessgranted company companypassword business office
summer summertime winter wintertime spring autumn january february november december monday friday weekend hello
helloworld helloworldhello hellohello goodmorning goodbye whatever whatsup nothing something anything blessed jesus
jesuschrist godisgood freedom forever forgetmenot correcthorsebatterystaple correcthorse chocolate cheese coffee
banana butterfly flower flowers rainbow purple orange yellow tigger tiger tigers eagles lakers yankees cowboys steelers
liverpool liverpoolfc manchester manchesterunited chelsea chelseafc arsenal arsenalfc barcelona realmadrid juventus
mustang ferrari mercedes porsche corvette harley harleydavidson killer hunter hunting fishing ranger soldier maverick
phoenix matrix thematrix gandalf lordoftherings harrypotter hogwarts naruto pussycat kitten kittykat hellokitty
playboy sexysexy fuckyou fuckyouall fuckoff asshole bullshit money moneymoney dollar dollars success successful winner
workspace workspaces settings server serverserver database postgres postgrespostgres redis rabbitmq production
staging development developer
`

export const commonPasswords: readonly string[] = words.trim().split(/\s+/)
