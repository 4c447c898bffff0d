/**
 * Passwords of eight or more characters that top every published list of breached passwords, and the stems that most
 * others vary. Kept in the code so that the check needs no network.
 */
const WHOLE = `
00000000 000000000 0000000000 01234567 012345678 0123456789 0987654321 09876543 10203040 11111111 111111111 1111111111
11112222 11223344 1122334455 12121212 1212121212 12312312 123123123 123123321 1231231234 12341234 123412341234 12344321
12345678 123456789 1234567890 12345678910 123456789a 123456789q 12345678a 1234567a 1234567q 1234567890q 123456abc
123456aa 123456789abc 1234abcd 1234qwer 123654789 123698745 12qwaszx 13131313 13243546 135792468 13579246 147258369
14725836 147852369 159357456 159753456 159951159 18436572 19841984 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz1qaz 1qaz2wsx
1qaz2wsx3edc 1qazxsw2 1qazxcvb 20202020 21212121 22222222 222222222 22334455 23232323 23456789 24682468 246813579
25252525 25802580 258456258 31415926 314159265 321321321 33333333 333333333 36925814 369258147 43214321 44444444
45454545 456456456 456789123 55555555 555555555 5555555555 55667788 56785678 66666666 666666666 69696969 741852963
74108520 77777777 777777777 7777777777 78907890 789456123 7894561230 78945612 789789789 87654321 88888888 888888888
8888888888 963852741 96385274 98765432 987654321 9876543210 987987987 99999999 999999999 9999999999
a1234567 a12345678 a123456789 a1b2c3d4 a1b2c3d4e5 a1s2d3f4 aa123456 aaaaaaaa aaaaaaaaa aaaaaaaaaa aaaa1111 abc12345
abc123456 abc123abc abcabcabc abcd1234 abcd12345 abcdefgh abcdefghi abcdefghij abcde12345 access14 adgjmptw admin123
admin1234 admin12345 admin123456 adminadmin administrator alexander alexandra alexandre anderson andrew12 asdasdasd
asd123456 asdf1234 asdfasdf asdfghjk asdfghjkl asdfjkl; asdfqwer asdqwe123 azertyui azertyuiop azerty123 babygirl
babygirl1 barcelona baseball basketball batman123 beautiful benjamin bigdaddy billabong birthday blahblah blink182
bluebird brooklyn buttercup butterfly california caroline catherine champion changeme changeme1 changeme123
charlie1 charlotte chelsea1 chocolate christian christina christine christopher cinderella computer computer1
corvette cowboys1 creative danielle darkness december default1 demo1234 diamond1 dolphins dragon12 dragon123 elephant
elizabeth enterprise evolution facebook facebook1 fernando firebird florence football football1 forever1 formula1
francesca franklin freedom1 friendly friends1 garfield gateway1 georgia1 godzilla goldfish
google123 graduate graphics guest123 hallo123 hello123 hello1234 hellohello helloworld herewego holiday1 hollywood
homework horizons iceman12 idontknow iloveme1 iloveyou iloveyou1 iloveyou2 iloveyou! infinity internet isabella
itsasecret jackson1 january1 jennifer jessica1 jonathan jordan23 justice1 justin12 katherine kawasaki killer12
kimberly kingkong lalalala lasvegas lawrence letmein! letmein1 letmein12 letmein123 letmeinnow liverpool liverpool1
lkjhgfdsa login123 london12 loveyou1 lovelove loverboy manchester marlboro marseille master12 master123 maverick
maximus1 mercedes metallica michael1 michelle midnight minecraft mitchell monkey12 monkey123 monster1 morrison mountain
mustang1 mypassword myspace1 naruto123 nascar24 national natalia1 newyork1 nicholas nicole12 nintendo november
nothing1 october1 olivia12 p4ssw0rd p4ssword p@$$w0rd p@ss1234 p@ssw0rd p@ssw0rd1 p@ssw0rd! p@ssw0rd123 p@ssword
pa$$w0rd pa$$word pass1234 pass12345 passpass passport passw0rd passw0rd! passw0rd1 passwd12 password password!
password. password0 password00 password01 password1 password1! password10 password11 password12 password123
password123! password1234 password12345 password2 password21 password22 password3 password4 password5 password6
password7 password8 password9 password99 passwords passwort passwort1 patricia penelope peterpan philippe phillips
pineapple playboy1 playstation pokemon1 pokemon123 porsche911 precious princesa princess princess1 professor property
q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qazwsx12 qazwsx123 qazwsxed qazwsxedc qazxswedc qqqqqqqq qweasd123 qweasdzx
qweasdzxc qweqweqwe qwe123456 qwe12345 qwer1234 qwerasdf qwerqwer qwert123 qwert12345 qwerty00 qwerty01 qwerty11
qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty321 qwerty777 qwerty78 qwertyqwerty qwertyu1 qwertyui
qwertyuio qwertyuiop q12345678 raiders1 rainbow1 realestate realmadrid rebecca1 remember richmond robinson rockstar
rolltide ronaldo7 rootroot samantha samsung1 samsung123 santiago saturday savannah scarface scorpion security
september serenity shadow12 shadow123 simpsons skateboard skywalker slipknot snickers snowball softball something
southpark special1 spiderman stargate starwars starwars1 stephanie sterling stingray strawberry summer12 summer123
summer2020 summer2021 summer2022 summer2023 summer2024 summer2025 summer2026 sunflower sunshine sunshine1 superman
superman1 superstar superuser survivor swordfish system32 taekwondo teddybear telephone temp1234 temppass tequiero
terminal test1234 test12345 test123456 testtest testing1 testing123 thailand thebeast thebest1 thunder1 thunderbird
tigger12 tinkerbell tottenham trinity1 trustno1 twilight undertaker universe valentina vanessa1 veronica victoria
vincent1 voyager1 warcraft warrior1 washington welcome! welcome0 welcome01 welcome1 welcome12 welcome123 welcome1234
welcome2 whatever whatever1 william1 willow12 windows1 winston1 winter12 winter2020 winter2021 winter2022 winter2023
winter2024 winter2025 winter2026 wolfgang wolverine wordpass xxxxxxxx yamaha12 yankees1 yellow12 z1x2c3v4 zaq12wsx
zaq1xsw2 zaq1zaq1 zxc123456 zxcvasdf zxcvbnm1 zxcvbnm123 zxcvbnm, zxcvzxcv zxczxczxc zzzzzzzz
`;

const known = new Set(WHOLE.trim().split(/\s+/));

/** True for a password that is among the first that anyone would try. Case and surrounding blanks do not matter. */
export function isCommonPassword(password: string): boolean {
  const plain = password.trim().toLowerCase();
  return known.has(plain) || /^(.{1,4})\1+.?$/u.test(plain);
}
